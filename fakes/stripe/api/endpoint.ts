import type { z } from "zod";
import type { Account } from "../account.ts";
import { StripeRefusal } from "../errors.ts";
import { checkMetadata, type FormGroup, refusalFrom } from "../parameters.ts";

/** One path of the API. `:name` in the path stands for an id. */
export type Endpoint = {
  method: "GET" | "POST" | "DELETE";
  path: string;
  answer(account: Account, call: ApiCall): Answer;
};

/** What a request asks an endpoint for. */
export type ApiCall = { given: FormGroup; ids: Record<string, string>; version: string };

/** The resource to answer with, and which of its fields to expand. */
export type Answer = { resource: object; expand: string[] };

/** What a handler is given: the account, checked parameters, and the ids in the path. */
export type Call<Params> = {
  account: Account;
  params: Params;
  /** The id in the path. */
  id: string;
  /** Every id in the path, by its name there. */
  ids: Record<string, string>;
  /** The API version that the request speaks. */
  version: string;
};

/** An endpoint whose parameters are checked before its handler sees them. */
export function endpoint<Schema extends z.ZodType<{ expand?: string[] | undefined }>>(
  method: Endpoint["method"],
  path: string,
  schema: Schema,
  handle: (call: Call<z.output<Schema>>) => object,
): Endpoint {
  return {
    method,
    path,
    answer(account, { given, ids, version }) {
      checkMetadata(given);
      const parsed = schema.safeParse(given, { reportInput: true });
      if (!parsed.success) throw refusalFrom(parsed.error);
      try {
        const resource = handle({ account, params: parsed.data, id: ids.id ?? "", ids, version });
        return { resource, expand: parsed.data.expand ?? [] };
      } catch (error) {
        if (error instanceof StripeRefusal) error.hasBegun = true;
        throw error;
      }
    },
  };
}

/** The endpoint for a request, and the ids that its path holds. */
export function findEndpoint(
  endpoints: Endpoint[],
  method: string,
  path: string,
): { endpoint: Endpoint; ids: Record<string, string> } | undefined {
  const parts = path.split("/");
  for (const endpoint of endpoints) {
    if (endpoint.method !== method) continue;
    const pattern = endpoint.path.split("/");
    if (pattern.length !== parts.length) continue;
    const ids: Record<string, string> = {};
    const fits = pattern.every((part, index) => {
      const given = parts[index] ?? "";
      if (!part.startsWith(":")) return part === given;
      ids[part.slice(1)] = decodeURIComponent(given);
      return given !== "";
    });
    if (fits) return { endpoint, ids };
  }
  return undefined;
}

/** The metadata after a change: new values by name, and empty values take names away. */
export function mergedMetadata(
  current: Record<string, string>,
  change: "" | Record<string, string> | undefined,
): Record<string, string> {
  if (change === undefined) return current;
  if (change === "") return {};
  const merged = { ...current, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ""));
}

/** The given fields, without those that were not given; an empty text clears a field. */
export function givenFields<Fields extends Record<string, unknown>>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === "" ? null : value]),
  ) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}
