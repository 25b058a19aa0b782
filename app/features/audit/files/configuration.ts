import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

/** A value as a file writes it. */
export type Value = string | number | boolean | null | readonly Value[] | ValueMap;
export type ValueMap = { readonly [key: string]: Value | undefined };

export type Path = readonly (string | number)[];

/** A file's values, and the lines on which they stand. */
export type Configuration = {
  value: ValueMap;
  /** Of the nearest part of the path that the file has. Lines begin at 1. */
  lineOf: (path: Path) => number;
};

/** Why a text is no configuration. */
export type Unreadable = { line: number; message: string };

/** JSON is YAML too, so Caddy's files are read either way. */
export function parseYaml(text: string): Configuration | Unreadable {
  const lines = new LineCounter();
  let document: ReturnType<typeof parseDocument>;
  try {
    document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
  } catch {
    return { line: 1, message: "It is nested too deeply" };
  }
  const [error] = document.errors;
  if (error) return { line: lines.linePos(error.pos[0]).line, message: error.message };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch {
    return { line: 1, message: "It repeats its own parts too often" };
  }
  if (!isValueMap(value)) return { line: 1, message: "It has no keys" };
  const { contents } = document;
  return {
    value,
    lineOf: (path) => lines.linePos(contents ? offsetOf(contents, path) : 0).line,
  };
}

function offsetOf(root: Node, path: Path): number {
  let node: unknown = root;
  let offset = root.range?.[0] ?? 0;
  for (const part of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => isScalar(key) && String(key.value) === String(part),
      );
      if (pair && isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      next = pair?.value;
    } else if (isSeq(node)) {
      next = node.items[Number(part)];
      if (isNode(next)) offset = next.range?.[0] ?? offset;
    }
    if (next === undefined) break;
    node = next;
  }
  return offset;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "range" in value;

export function isValueMap(value: unknown): value is ValueMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands at a path; undefined where the file says nothing. An empty value is none. */
export function valueAt({ value }: Pick<Configuration, "value">, ...path: Path): Value | undefined {
  let at: Value | undefined = value;
  for (const part of path) {
    if (isList(at)) at = at[Number(part)];
    else if (isValueMap(at)) at = at[String(part)];
    else return;
  }
  return at ?? undefined;
}

export const isList = (value: unknown): value is readonly Value[] => Array.isArray(value);

type Holder = Pick<Configuration, "value">;

/** A number reads as its digits. */
export function textAt(from: Holder, ...path: Path): string | undefined {
  const value = valueAt(from, ...path);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

export function numberAt(from: Holder, ...path: Path): number | undefined {
  const text = textAt(from, ...path);
  if (text === undefined || !/^-?\d[\d_]*(\.\d+)?$/.test(text)) return;
  return Number(text.replaceAll("_", ""));
}

export const isOn = (from: Holder, ...path: Path): boolean => valueAt(from, ...path) === true;

export function listAt(from: Holder, ...path: Path): readonly Value[] {
  const value = valueAt(from, ...path);
  return isList(value) ? value : [];
}

export const textsAt = (from: Holder, ...path: Path): string[] => listAt(from, ...path).map(String);

export function mapAt(from: Holder, ...path: Path): ValueMap {
  const value = valueAt(from, ...path);
  return isValueMap(value) ? value : {};
}

/** A part of a file as a configuration of its own, such as `livekit` of Helm's values. */
export function partOf({ value, lineOf }: Configuration, ...at: Path): Configuration {
  return { value: mapAt({ value }, ...at), lineOf: (path) => lineOf([...at, ...path]) };
}
