import { format } from "@cdktf/hcl-tools";
import { parse } from "@cdktf/hcl2json";

/** As Terraform's own JSON has it: an expression is a text with `${}` around it, a block a list of objects. */
export type Hcl = string | number | boolean | null | readonly Hcl[] | HclMap;
export type HclMap = { readonly [key: string]: Hcl };

const parsed = new Map<string, Promise<HclMap>>();

/** What a file says. Combinations share most of their texts, and each is read once. */
export function readHcl(text: string): Promise<HclMap> {
  const known = parsed.get(text) ?? parse("main.tf", text);
  parsed.set(text, known);
  return known;
}

const laidOut = new Map<string, Promise<string>>();

/** The text as `terraform fmt` leaves it. Each is laid out once too. */
export function formatted(text: string): Promise<string> {
  const known = laidOut.get(text) ?? format(text);
  laidOut.set(text, known);
  return known;
}

export const isMap = (value: Hcl | undefined): value is HclMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isExpression = (text: string): boolean => /(^|[^$])\$\{|(^|[^%])%\{/.test(text);

/** A text without expressions as Terraform understands it. */
export const literal = (text: string): string => text.replace(/([$%])\1\{/g, "$1{");

/** The objects of a block that may be there several times. */
export function blocksOf(value: Hcl | undefined): readonly HclMap[] {
  return Array.isArray(value) ? value.filter(isMap) : [];
}

/** Everything below a name, as `resource` or `data` have it: type, name and content. */
export function declared(file: HclMap, kind: "resource" | "data") {
  return Object.entries(isMap(file[kind]) ? file[kind] : {}).flatMap(([type, named]) =>
    Object.entries(isMap(named) ? named : {}).flatMap(([name, contents]) =>
      blocksOf(contents).map((content) => ({ type, name, content })),
    ),
  );
}

/** All local values of a file together. */
export function localsOf(file: HclMap): HclMap {
  return Object.assign({}, ...blocksOf(file.locals));
}
