import type * as z from "zod/mini";

type Schema = z.core.JSONSchema.BaseSchema;

/** One answer that a file of options holds: its closed list of values, or the form of what is free. */
export type Leaf = { values: string[]; form: string };

/** Every answer of a JSON Schema of options by its path, over all shapes that an option may have. */
export function leavesOf(schema: Schema, path = "", found = new Map<string, Leaf>()) {
  const shapes = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].filter(isSchema);
  for (const shape of shapes) leavesOf(shape, path, found);
  if (shapes.length > 0) return found;
  if (schema.properties) {
    for (const [name, part] of Object.entries(schema.properties))
      if (isSchema(part)) leavesOf(part, path === "" ? name : `${path}.${name}`, found);
    return found;
  }
  const items = isSchema(schema.items) ? schema.items : undefined;
  const listed = schema.enum ?? items?.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const values = [...new Set([...(found.get(path)?.values ?? []), ...listed.map(String)])];
  found.set(path, { values, form: formOf(schema) });
  return found;
}

function isSchema(part: unknown): part is Schema {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}

function formOf({ type, minimum, maximum }: Schema): string {
  if (type === "integer") return `${minimum} to ${maximum}`;
  if (type === "boolean") return "`true` or `false`";
  return type === "array" ? "a list" : "a text";
}
