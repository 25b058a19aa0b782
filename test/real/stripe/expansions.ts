import { type Description, referred, type Schema } from "./description.ts";

/** Stripe expands no deeper: https://docs.stripe.com/api/expanding_objects */
const deepest = 4;

/**
 * Why an answer cannot have this field expanded, `data.customer` say; undefined where it can. stripe-mock
 * passes over such a path, Stripe refuses it.
 */
export function expansionFault(
  description: Description,
  answer: Schema,
  path: string,
): string | undefined {
  const fields = path.split(".");
  if (fields.length > deepest) return `${path} is deeper than ${deepest} levels`;
  let here = objectsOf(description, answer);
  for (const field of fields) {
    const owners = here.filter((each) => expandable(each).includes(field));
    if (owners.length === 0) return `${field} of ${path} cannot be expanded`;
    here = owners.flatMap(({ properties = {} }) => objectsOf(description, properties[field] ?? {}));
  }
  return here.length === 0 ? `${path} is no object` : undefined;
}

function expandable(schema: Schema): unknown[] {
  const named = schema["x-expandableFields"];
  return Array.isArray(named) ? named : [];
}

/** The objects that a field may hold, also as elements of a list. */
function objectsOf(description: Description, schema: Schema): Schema[] {
  if (schema.$ref) return objectsOf(description, referred(description, schema.$ref));
  if (schema.items) return objectsOf(description, schema.items);
  if (schema.anyOf) return schema.anyOf.flatMap((each) => objectsOf(description, each));
  return schema.properties ? [schema] : [];
}
