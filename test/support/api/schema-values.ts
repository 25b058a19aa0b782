import fc from "fast-check";

/** As much of JSON Schema as the descriptions of the API and of a deployment's options have. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
};
type Named = (reference: string) => JsonSchema;

/** Values that a schema allows, or nearly: bounds and patterns are met as far as they can be drawn from. */
export function valuesOf(schema: JsonSchema, named: Named): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOf(named(schema.$ref), named);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((each) => valuesOf(each, named)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "string":
      return textsOf(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -2, max: Math.min(schema.maximum ?? 1e6, 1e9) });
    case "number":
      return fc.double({ min: schema.minimum ?? -1, max: schema.maximum ?? 1e6, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valuesOf(schema.items ?? {}, named), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case "object":
      return objectsOf(schema, named);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectsOf(schema: JsonSchema, named: Named): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, each]) => [name, valuesOf(each, named)]);
  const shape: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields);
  const known = fc.record(shape, { requiredKeys: required });
  if (Object.keys(properties).length > 0 || typeof additionalProperties !== "object") return known;
  return fc.dictionary(fc.string({ maxLength: 20 }), valuesOf(additionalProperties, named), {
    maxKeys: 4,
  });
}

function textsOf({ pattern, format, minLength = 0, maxLength = 40 }: JsonSchema) {
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((at) => at.toISOString());
  if (format === "date") {
    const years = { min: new Date("2026-01-01"), max: new Date("2027-12-31"), noInvalidDate: true };
    return fc.date(years).map((at) => at.toISOString().slice(0, 10));
  }
  const plain = fc.string({ minLength, maxLength: Math.min(maxLength, 120) });
  if (pattern === undefined) return plain;
  try {
    return fc.stringMatching(new RegExp(pattern, "u"), { size: "small" });
  } catch {
    // It has what nothing is drawn from, such as a class of Unicode.
    return plain;
  }
}

/** What nobody should send, where any value may stand. */
export const hostileTexts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.constantFrom(
    ...["", " ", "null", "undefined", "__proto__", "constructor", "toString", "-1", "0", "1e309"],
    ...["..", "%00", "\u0000", "\ud800", "' or 1=1--", "<script>", "{{7*7}}", "#{7*7}", "\r\nx: y"],
    ...["9".repeat(400), "a".repeat(5_000), "\u202e", "é".normalize("NFD"), "💥".repeat(50)],
  ),
);

const hostileValues: fc.Arbitrary<unknown> = fc.oneof(
  hostileTexts,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(...[null, -0, 1e308, 2 ** 53, [], {}, [[[[[[]]]]]], { __proto__: null, a: 1 }]),
);

/** A value of which some part, anywhere, is what nobody should send. */
export const damaged = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(values, hostileValues, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }))
    .map(([value, other, way]) => replaced(value, other, way));

function replaced(value: unknown, other: unknown, [turn = 0, ...way]: readonly number[]): unknown {
  if (typeof value !== "object" || value === null) return other;
  const keys = Object.keys(value);
  const key = keys[turn % Math.max(1, keys.length)];
  if (key === undefined) return other;
  const changed = way.length === 0 ? other : replaced(Object(value)[key], other, way);
  if (!Array.isArray(value)) return { ...value, [key]: changed };
  return value.map((each, at) => (String(at) === key ? changed : each));
}
