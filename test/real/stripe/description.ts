import { readFileSync } from "node:fs";
import * as z from "zod";

/** A schema of Stripe's OpenAPI description, with the fields that this proof reads. */
export interface Schema {
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  $ref?: string;
  format?: string;
  [other: string]: unknown;
}

interface Content {
  content: Record<string, { schema: Schema }>;
}

interface Operation {
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

export interface Description {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const form = "application/x-www-form-urlencoded";

/** Reads a description. Only its outline is checked: it is Stripe's. */
export function readDescription(path: string): Description {
  const read: Description = JSON.parse(readFileSync(path, "utf8"));
  z.object({
    info: z.object({ version: z.string() }),
    paths: z.record(z.string(), z.looseObject({})),
    components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
  }).parse(read);
  return read;
}

/** The operation for a method and a path, in which ids are written in any way: `{}`, `{id}`, `:id`. */
export function operationOf(
  description: Description,
  method: string,
  path: string,
): Operation | undefined {
  const nameless = withoutNames(path);
  const found = Object.keys(description.paths).find((each) => withoutNames(each) === nameless);
  return found === undefined ? undefined : description.paths[found]?.[method.toLowerCase()];
}

/** The operation for a request to this path, ids and all. */
export function operationSentTo(
  description: Description,
  method: string,
  path: string,
): Operation | undefined {
  const template = templateOf(description, method, path);
  return template === undefined ? undefined : description.paths[template]?.[method.toLowerCase()];
}

/** The path of that operation as the description has it. Fixed names go before ids. */
export function templateOf(
  description: Description,
  method: string,
  path: string,
): string | undefined {
  return Object.keys(description.paths)
    .filter((each) => new RegExp(`^${each.replace(/\{\w*\}/g, "[^/]+")}$`).test(path))
    .sort((one, other) => one.split("{").length - other.split("{").length)
    .find((each) => description.paths[each]?.[method.toLowerCase()]);
}

/** A path with `{}` for each id. */
export function withoutNames(path: string): string {
  return path.replace(/\{\w*\}|:\w+/g, "{}");
}

/** What an operation takes, as one object; a change of it is one of the description. */
export function paramsOf(operation: Operation): Schema | undefined {
  return operation.requestBody?.content[form]?.schema;
}

/** What an operation takes in its query, as one object. */
export function queryOf({ parameters = [] }: Operation): Schema {
  const query = parameters.filter((each) => each.in === "query");
  return {
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.flatMap(({ name, required }) => (required ? [name] : [])),
    additionalProperties: false,
  };
}

/** What an operation answers, or how it refuses. */
export function answerOf(operation: Operation, refused = false): Schema | undefined {
  return operation.responses[refused ? "default" : "200"]?.content["application/json"]?.schema;
}

/** The component that a reference names. */
export function referred(description: Description, reference: string): Schema {
  const found = description.components.schemas[reference.replace("#/components/schemas/", "")];
  if (!found) throw new Error(`The description has no ${reference}`);
  return found;
}

/**
 * Refuses every name that is not described, at every depth. The description says so for the outermost
 * names only; Stripe's API says so for all of them.
 */
export function closeParams(description: Description): void {
  for (const operation of Object.values(description.paths).flatMap((path) => Object.values(path))) {
    const schema = paramsOf(operation);
    if (schema) close(schema);
    for (const each of operation.parameters ?? []) close(each.schema);
  }
}

/** A schema and all within it refuse the names that they do not describe. */
export function close(schema: Schema): void {
  if (schema.properties) schema.additionalProperties ??= false;
  for (const each of within(schema)) close(each);
}

function within(schema: Schema): Schema[] {
  const { properties = {}, anyOf = [], items, additionalProperties } = schema;
  const others = typeof additionalProperties === "object" ? [additionalProperties] : [];
  return [...Object.values(properties), ...anyOf, ...(items ? [items] : []), ...others];
}
