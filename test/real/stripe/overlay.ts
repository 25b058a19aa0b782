import {
  answerOf,
  type Description,
  operationOf,
  paramsOf,
  queryOf,
  referred,
  type Schema,
} from "./description.ts";
import {
  type Group,
  placeOf,
  propertyShape,
  type SdkCall,
  type Shape,
  sdkCalls,
} from "./sdk-types.ts";

type Change =
  | "added"
  | "removed"
  | "required"
  | "optional"
  | "nullable"
  | "never null"
  /** It is another kind of value, such as an object instead of a text. */
  | "kind"
  | "values";

/** One difference between the description and the SDK's types, and where the types show it. */
export interface Difference {
  /** The interface: `Checkout/Sessions.d.ts Checkout.SessionCreateParams`. */
  place: string;
  property: string;
  /** `values` are those of an enumeration; the rest says what the property became. */
  change: Change;
  added?: string[];
  removed?: string[];
}

/**
 * Makes a description say what the types of the SDK say, for the operations that are named and what they
 * take and answer: names, whether they are required or null, and the values of enumerations. What both
 * know stays as the description has it.
 */
export function layOver(
  description: Description,
  operations: readonly { method: string; path: string }[],
): Difference[] {
  const calls = sdkCalls();
  const work = new Overlay(description);
  for (const { method, path } of operations) {
    const operation = operationOf(description, method, path);
    const call = calls.find((each) => each.method === method && each.path === path);
    if (!operation || !call) throw new Error(`Stripe has no ${method} ${path}`);
    work.layOverParams(operation, call);
    const answer = answerOf(operation);
    if (answer) work.compare(answer, call.answer, "answer");
  }
  return work.differences;
}

type Operation = NonNullable<ReturnType<typeof operationOf>>;
type Side = "params" | "answer";

class Overlay {
  readonly differences: Difference[] = [];
  private readonly description: Description;
  private readonly seen = new Map<Schema, Set<string>>();

  constructor(description: Description) {
    this.description = description;
  }

  layOverParams(operation: Operation, { method, params }: SdkCall): void {
    const [group] = params?.groups ?? [];
    if (!group) return;
    if (method !== "GET") {
      const body = paramsOf(operation);
      if (body) this.compareGroup(body, group, "params");
      return;
    }
    // What a query may have stands in a list; it is compared as if it were one object.
    const asObject = queryOf(operation);
    this.compareGroup(asObject, group, "params");
    operation.parameters = [
      ...(operation.parameters ?? []).filter((each) => each.in !== "query"),
      ...Object.entries(asObject.properties ?? {}).map(([name, schema]) => ({
        in: "query",
        name,
        required: asObject.required?.includes(name) ?? false,
        schema,
      })),
    ];
  }

  compare(schema: Schema, shape: Shape, side: Side, note?: (change: Values) => void): void {
    if (shape.unknown) return;
    const leaves = this.leavesOf(schema);
    const [list] = leaves.filter(({ items }) => items);
    const [page] = leaves.filter(
      ({ properties }) => properties?.has_more && properties.data?.items,
    );
    const [innerList] = shape.lists;
    const [innerPage] = shape.pages;
    if (list?.items && innerList) this.compare(list.items, innerList, side, note);
    if (page?.properties?.data?.items && innerPage)
      this.compare(page.properties.data.items, innerPage, side, note);
    this.compareValues(leaves, shape, note);
    const groups = leaves.filter((leaf) => leaf.properties && leaf !== page);
    // An answer that may be an id instead of the object is compared as an object elsewhere.
    if (side === "answer" && shape.text) return;
    if (groups.length === 1 && groups[0] && shape.groups.length === 1 && shape.groups[0])
      this.compareGroup(groups[0], shape.groups[0], side);
    else if (groups.length > 1)
      for (const group of shape.groups) {
        const same = groups.find((each) => isSameObject(each, group));
        if (same) this.compareGroup(same, group, side);
      }
  }

  private compareGroup(schema: Schema, group: Group, side: Side): void {
    const place = placeOf(group);
    const places = this.seen.get(schema) ?? new Set();
    if (places.has(place)) return;
    this.seen.set(schema, places.add(place));
    schema.properties ??= {};
    const { properties } = schema;
    for (const property of Object.keys(properties)) {
      if (group.properties.has(property)) continue;
      delete properties[property];
      schema.required = schema.required?.filter((each) => each !== property) ?? [];
      this.differences.push({ place, property, change: "removed" });
    }
    for (const [property, declared] of group.properties) {
      const shape = propertyShape(group, declared);
      const before = properties[property];
      const note = (change: Omit<Difference, "place" | "property">) =>
        this.differences.push({ place, property, ...change });
      if (!before) {
        properties[property] = this.schemaOf(shape, side, []);
        note({ change: "added" });
      } else if (!shape.unknown && this.kindsOf(before) !== kindsIn(shape)) {
        properties[property] = this.schemaOf(shape, side, []);
        note({ change: "kind" });
      } else {
        if (side === "answer" && !shape.unknown && Boolean(before.nullable) !== shape.nullable) {
          before.nullable = shape.nullable;
          note({ change: shape.nullable ? "nullable" : "never null" });
        }
        this.compare(before, shape, side, (values) => note({ change: "values", ...values }));
      }
      const required = schema.required ?? [];
      if (required.includes(property) !== declared.optional) continue;
      schema.required = declared.optional
        ? required.filter((each) => each !== property)
        : [...required, property];
      // The description does not say that a field which may be null is there nonetheless; the types do.
      if (before && (side === "params" || !shape.nullable))
        note({ change: declared.optional ? "optional" : "required" });
    }
    // A description without any required name has no such list.
    if (schema.required?.length === 0) delete schema.required;
  }

  private compareValues(leaves: Schema[], shape: Shape, note?: (change: Values) => void): void {
    const enumerations = leaves.filter((leaf) => leaf.enum?.some((value) => value !== ""));
    const [enumeration] = enumerations;
    const now = shape.literals.filter((value) => value !== "");
    if (!enumeration || enumerations.length > 1 || now.length === 0) return;
    const before = (enumeration.enum ?? []).map(String).filter((value) => value !== "");
    const added = now.filter((value) => !before.includes(value));
    const removed = before.filter((value) => !now.includes(value));
    if (added.length + removed.length === 0) return;
    const remaining = (enumeration.enum ?? []).filter(
      (value) => value === "" || now.includes(String(value)),
    );
    enumeration.enum = [...remaining, ...added];
    note?.({ added, removed });
  }

  /** A schema for what the description does not have. Objects of Stripe's own are referred to. */
  private schemaOf(shape: Shape, side: Side, around: string[]): Schema {
    const one: Schema[] = [];
    if (shape.unknown) return {};
    if (shape.literals.length > 0) one.push({ type: "string", enum: shape.literals });
    if (shape.text) one.push({ type: "string" });
    if (shape.number) one.push({ type: "number" });
    if (shape.flag) one.push({ type: "boolean" });
    for (const each of shape.lists)
      one.push({ type: "array", items: this.schemaOf(each, side, around) });
    for (const each of shape.maps)
      one.push({ type: "object", additionalProperties: this.schemaOf(each, side, around) });
    for (const group of shape.groups) one.push(this.groupSchema(group, side, around));
    const [only = {}] = one;
    const schema = one.length > 1 ? { anyOf: one } : only;
    return side === "answer" && shape.nullable ? { ...schema, nullable: true } : schema;
  }

  private groupSchema(group: Group, side: Side, around: string[]): Schema {
    const place = placeOf(group);
    const object = objectOf(group);
    if (object !== undefined && this.description.components.schemas[object])
      return { $ref: `#/components/schemas/${object}` };
    if (around.includes(place)) return {};
    const properties = [...group.properties].map(
      ([name, declared]) =>
        [name, this.schemaOf(propertyShape(group, declared), side, [...around, place])] as const,
    );
    const required = [...group.properties].filter(([, { optional }]) => !optional);
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required: required.map(([name]) => name) } : {}),
    };
  }

  private kindsOf(schema: Schema): string {
    const leaves = this.leavesOf(schema).filter(({ enum: values }) => values?.join() !== "");
    return named(leaves.map(kindOf));
  }

  private leavesOf(schema: Schema): Schema[] {
    if (schema.$ref) return this.leavesOf(referred(this.description, schema.$ref));
    return schema.anyOf ? schema.anyOf.flatMap((each) => this.leavesOf(each)) : [schema];
  }
}

type Values = { added: string[]; removed: string[] };

function kindOf({ type, items, properties, enum: values }: Schema): string {
  if (items) return "list";
  if (properties || type === "object") return "object";
  return type === "integer" ? "number" : (type ?? (values ? "string" : "anything"));
}

function kindsIn({ text, number, flag, literals, lists, pages, maps, groups }: Shape): string {
  return named([
    ...(text || literals.some((value) => value !== "") ? ["string"] : []),
    ...(number ? ["number"] : []),
    ...(flag ? ["boolean"] : []),
    ...(lists.length > 0 ? ["list"] : []),
    ...(pages.length + maps.length + groups.length > 0 ? ["object"] : []),
  ]);
}

function named(kinds: string[]): string {
  return [...new Set(kinds)].sort().join(" or ");
}

function isSameObject(schema: Schema, group: Group): boolean {
  const { object, deleted } = schema.properties ?? {};
  const name = objectOf(group);
  return (
    name !== undefined &&
    Boolean(object?.enum?.includes(name.replace(/^deleted_/, ""))) &&
    Boolean(deleted) === name.startsWith("deleted_")
  );
}

/** The component that an object of Stripe's is, by its field `object`. */
function objectOf(group: Group): string | undefined {
  const declared = group.properties.get("object");
  const [name] = declared ? propertyShape(group, declared).literals : [];
  return name && group.properties.has("deleted") ? `deleted_${name}` : name;
}
