import { type Description, referred, type Schema } from "./description.ts";

/**
 * What of a value is not as a schema of the description says, a sentence each: names that are missing or
 * unknown, kinds, and values that an enumeration does not have.
 */
export function faultsIn(
  description: Description,
  schema: Schema,
  value: unknown,
  at = "",
): string[] {
  if (schema.$ref) return faultsIn(description, referred(description, schema.$ref), value, at);
  if (value === null)
    return schema.nullable || isAnything(schema) ? [] : [`${at} is null, and may not be`];
  if (schema.anyOf) return faultsOfAny(description, schema.anyOf, value, at);
  if (schema.enum && !schema.enum.includes(value))
    return [`${at} is ${JSON.stringify(value)}, which is none of ${schema.enum.join(", ")}`];
  const kind = kindOf(value);
  if (schema.type && schema.type !== kind && !(schema.type === "number" && kind === "integer"))
    return [`${at} is ${kind} instead of ${schema.type}`];
  if (Array.isArray(value))
    return value.flatMap((each, index) =>
      faultsIn(description, schema.items ?? {}, each, `${at}[${index}]`),
    );
  return isObject(value) ? faultsInObject(description, schema, value, at) : [];
}

function faultsInObject(
  description: Description,
  { properties, required = [], additionalProperties }: Schema,
  value: Record<string, unknown>,
  at: string,
): string[] {
  const missing = required.filter((name) => !(name in value));
  const inside = Object.entries(value).flatMap(([name, each]) => {
    const place = at === "" ? name : `${at}.${name}`;
    const described = properties?.[name];
    if (described) return faultsIn(description, described, each, place);
    if (typeof additionalProperties === "object")
      return faultsIn(description, additionalProperties, each, place);
    return properties && !additionalProperties ? [`${place} is unknown to Stripe`] : [];
  });
  return [...missing.map((name) => `${at === "" ? name : `${at}.${name}`} is missing`), ...inside];
}

/** Of several that are allowed the one that fits best speaks. */
function faultsOfAny(
  description: Description,
  any: Schema[],
  value: unknown,
  at: string,
): string[] {
  const found = any.map((each) => faultsIn(description, each, value, at));
  return found.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

function isAnything(schema: Schema): boolean {
  return !schema.type && !schema.anyOf && !schema.properties && !schema.enum;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
