import * as z from "zod/mini";
import type { ApiCall, Sources } from "../call";
import type { Problem, ProblemCode } from "../problem";
import type { Scope } from "../scopes";

/** The schemas that the description of the API names. Whatever a body or an answer is must be among them. */
export const apiSchemas = z.registry<{ id: string }>();

/** Gives a schema its name in the description. */
export function named<Schema extends z.ZodMiniType>(
  id: string,
  description: string,
  schema: Schema,
): Schema {
  apiSchemas.add(schema, { id });
  return described(description, schema);
}

/** Says what a field is, in the description. */
export function described<Schema extends z.ZodMiniType>(
  description: string,
  schema: Schema,
): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

/** An answer, or why there is none. */
export type Outcome = { value: unknown; headers?: Readonly<Record<string, string>> } | Problem;

type Input<Params, Query, Body> = {
  params: Params;
  query: Query;
  body: Body;
  call: ApiCall;
  sources: Sources;
};

/** One method at one address: the router and the description are both made of these. */
export type Operation = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** After `/api/v1`, with its parameters in braces. */
  path: string;
  id: string;
  tag: string;
  summary: string;
  description?: string;
  /** Undefined where any token may. */
  scope: Scope | undefined;
  /** Another scope that opens it. */
  orScope?: Scope;
  params: Readonly<Record<string, z.ZodMiniType>>;
  query: Readonly<Record<string, z.ZodMiniType>>;
  body?: z.ZodMiniType;
  status: 200 | 201 | 204;
  /** Undefined where there is no content, or text. */
  answer?: z.ZodMiniType;
  /** The media types of an answer that is text; `run` names the one that it has. */
  text?: readonly string[];
  needsIfMatch?: true;
  /** A POST that only reads what its body is about: it has no key. */
  changesNothing?: true;
  /** Beside those that every operation has. */
  problems: readonly ProblemCode[];
  run(input: Input<unknown, unknown, unknown>): Promise<Outcome>;
};

type Shape = Readonly<Record<string, z.ZodMiniType>>;
type Read<Of extends Shape> = { [Name in keyof Of]: z.output<Of[Name]> };

/** An operation whose `run` is given what its schemas read. */
export function operation<Params extends Shape, Query extends Shape, Body = undefined>(
  details: Omit<Operation, "params" | "query" | "body" | "run"> & {
    params: Params;
    query: Query;
    body?: z.ZodMiniType<Body>;
    run(input: Input<Read<Params>, Read<Query>, Body>): Promise<Outcome>;
  },
): Operation {
  // The router reads all three with these schemas before it calls.
  return details as unknown as Operation;
}

/** A page of a list. */
export const pageOf = <Item extends z.ZodMiniType>(id: string, of: string, item: Item) =>
  named(
    id,
    `A page of ${of}.`,
    z.object({
      items: z.array(item),
      next_cursor: described(
        "The `cursor` of the next page; null on the last one.",
        z.nullable(z.string()),
      ),
    }),
  );

/** A `cursor` of the query. */
export const cursorField = z.optional(
  described("The `next_cursor` of the page before.", z.string().check(z.maxLength(200))),
);

export const invalidCursor: Problem = {
  problem: "invalid-query",
  detail: "A parameter of the query is not right.",
  errors: [{ parameter: "cursor", detail: "No page of this list gave this cursor." }],
};

/** A time in ISO 8601. */
export const time = z.iso.datetime();
export const iso = (at: number | string): string => new Date(at).toISOString();
export const isoOrNull = (at: number | string | undefined | null): string | null =>
  at === undefined || at === null ? null : iso(at);

export const uuid = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));

/** A text on one line. Not `\p{Cc}`, which says the same: Python does not know it, and programs read this pattern. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters are named to be refused.
export const withoutControls = /^[^\u0000-\u001f\u007f-\u009f]*$/;
