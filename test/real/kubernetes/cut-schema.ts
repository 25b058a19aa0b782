import * as z from "zod";

const description = z.looseObject({
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});

/** What Kubernetes' description of its API says beside the form of a value. */
const prose = /^(description|default|format|x-.*)$/;
/** What only a cluster writes. */
const written = ["status", "managedFields"];

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Clusters describe themselves in any order. */
const sorted = (tree: Readonly<Record<string, unknown>>) =>
  Object.entries(tree).toSorted(([one], [other]) => (one < other ? -1 : 1));

/** A part of the description as a JSON schema that refuses what is not in it. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value === "string") return value.replace("#/components/schemas/", "#/definitions/");
  if (!isTree(value)) return value;
  const { properties, ...others } = value;
  const rest = sorted(others).flatMap(([name, inner]) =>
    prose.test(name) ? [] : [[name, strict(inner)] as const],
  );
  const [only] = Array.isArray(value.allOf) && value.allOf.length === 1 ? value.allOf : [];
  if (rest.length === 1 && only !== undefined) return strict(only);
  if (!isTree(properties)) return Object.fromEntries(rest);
  const fields = sorted(properties).flatMap(([name, inner]) =>
    written.includes(name) ? [] : [[name, strict(inner)] as const],
  );
  return {
    ...Object.fromEntries(rest),
    properties: Object.fromEntries(fields),
    additionalProperties: false,
  };
}

/** Of the descriptions of some groups of the API the parts of these names, and what they are made of. */
export function cutSchema(
  descriptions: readonly unknown[],
  names: readonly string[],
): Record<string, unknown> {
  const parts = descriptions.map((each) => description.parse(each));
  const all = Object.assign({}, ...parts.map(({ components }) => components.schemas));
  const definitions: Record<string, unknown> = {};
  const add = (name: string) => {
    if (name in definitions) return;
    if (!(name in all)) throw new Error(`There is no description of ${name}`);
    const definition = strict(all[name]);
    definitions[name] = definition;
    for (const [, other = ""] of JSON.stringify(definition).matchAll(/"#\/definitions\/([^"]+)"/g))
      add(other);
  };
  for (const name of names) add(name);
  return Object.fromEntries(sorted(definitions));
}
