import { z } from "zod";
import { invalidRequest, type StripeRefusal } from "./errors.ts";
import { refusalOf } from "./rules/rules.ts";

/** A form value: text, a list or a group of further values. */
export type FormValue = string | FormValue[] | FormGroup;
export type FormGroup = { [name: string]: FormValue };

/** Reads `a[b][0]=x&c[]=y` into nested groups and lists. */
export function parseForm(encoded: string): FormGroup {
  const root: FormGroup = Object.create(null);
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = name.split(/[[\]]+/).filter((part, index) => index === 0 || part !== "");
    if (name.endsWith("[]")) path.push("");
    let group = root;
    for (const part of path.slice(0, -1)) {
      const inner = group[part];
      if (inner !== undefined && typeof inner === "object" && !Array.isArray(inner)) group = inner;
      else {
        const created: FormGroup = Object.create(null);
        group[part] = created;
        group = created;
      }
    }
    const last = path.at(-1) ?? "";
    group[last === "" ? String(Object.keys(group).length) : last] = value;
  }
  return withLists(root);
}

/** Refuses a value of metadata that is too long, wherever it is in the parameters. */
export function checkMetadata(group: FormGroup): void {
  for (const [name, value] of Object.entries(group)) {
    if (typeof value !== "object" || Array.isArray(value)) continue;
    if (name !== "metadata") checkMetadata(value);
    else
      for (const [key, text] of Object.entries(value))
        if (typeof text === "string" && text.length > maxMetadataLength)
          throw refusalOf("metadata-that-is-too-long", { name: key, length: text.length });
  }
}

function withLists(group: FormGroup): FormGroup {
  const result: FormGroup = Object.create(null);
  for (const [name, value] of Object.entries(group)) {
    if (typeof value === "string" || Array.isArray(value)) {
      result[name] = value;
      continue;
    }
    const inner = withLists(value);
    const names = Object.keys(inner);
    const isList = name !== "metadata" && names.every((key, index) => key === String(index));
    result[name] = isList ? Object.values(inner) : inner;
  }
  return result;
}

export const text = z.string();
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
export const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number);
/** New values by name; an empty value takes the name away, an empty field takes all away. */
export const metadata = z.union([z.literal(""), z.record(z.string(), z.string())]);
const maxMetadataLength = 500;
export const webAddress = z.url({ protocol: /^https?$/ });
const timeRange = z.union([
  integer,
  z.strictObject({
    gt: integer.optional(),
    gte: integer.optional(),
    lt: integer.optional(),
    lte: integer.optional(),
  }),
]);

export type TimeRange = z.output<typeof timeRange>;

/** The parameters an endpoint takes; any other is refused. */
export function parameters<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...shape, expand: z.array(z.string()).optional() });
}

/** What every list endpoint takes. */
export const paging = {
  limit: integer.refine((value) => value >= 1 && value <= 100).optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: timeRange.optional(),
};

/** Turns the first thing wrong with the parameters into Stripe's refusal of it. */
export function refusalFrom(error: z.ZodError): StripeRefusal {
  const issue = innermost(error.issues);
  if (!issue) return invalidRequest("Invalid request.");
  const name = bracketed(issue.path);
  if (issue.code === "unrecognized_keys") {
    const unknown = bracketed([...issue.path, issue.keys[0] ?? ""]);
    return invalidRequest(`Received unknown parameter: ${unknown}`, unknown, "parameter_unknown");
  }
  if (issue.input === undefined && issue.code.startsWith("invalid")) {
    return invalidRequest(`Missing required param: ${name}.`, name, "parameter_missing");
  }
  if (issue.code === "invalid_format" && issue.format === "url")
    return invalidRequest("Not a valid URL", name, "url_invalid");
  if (issue.code === "invalid_format")
    return invalidRequest(`Invalid integer: ${issue.input}`, name, "parameter_invalid_integer");
  if (issue.code === "invalid_value") {
    const allowed = issue.values.join(", ");
    return invalidRequest(`Invalid ${name}: must be one of ${allowed}`, name);
  }
  return invalidRequest(`Invalid value for ${name}`, name);
}

function innermost(issues: z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys");
  const issue = unknown ?? issues[0];
  if (issue?.code !== "invalid_union" || issue.input === undefined) return issue;
  const branch = issue.errors.find((found) => found.some((each) => each.path.length > 0));
  const inner = branch?.[0];
  return inner ? { ...inner, path: [...issue.path, ...inner.path] } : issue;
}

function bracketed(path: PropertyKey[]): string {
  const [first, ...rest] = path.map(String);
  return (first ?? "") + rest.map((part) => `[${part}]`).join("");
}
