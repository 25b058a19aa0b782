import { newWorkspaceToken } from "../../../app/features/api/site/token.ts";
import { hashOf } from "../../../app/http/bearer-token.ts";
import { database } from "../database/database.ts";
import { runSql } from "../site/control-fakes.ts";
import { randomAddress } from "../site/network-address.ts";
import { siteUrl } from "../site/own-site.ts";
import { variable } from "../site/variables.ts";
import type { DescribedApi } from "./described-api.ts";

/** The token that a member who may makes, past the page. */
export async function newApiToken(
  maker: string,
  workspace: string,
  scopes: readonly string[],
  name = "CI",
): Promise<string> {
  const secrets = { COOKIE_SECRET: [variable("COOKIE_SECRET")], FORMER_COOKIE_SECRETS: [] };
  const token = await newWorkspaceToken(secrets);
  const made = await database
    .rpc("create_workspace_token", {
      ...{ actor: maker, workspace, new_name: name, allowed: 50, new_scopes: [...scopes] },
      ...{ new_hash: await hashOf(token), new_ending: token.slice(-4) },
      new_end: new Date(Date.now() + 86_400_000).toISOString(),
    })
    .throwOnError();
  if (!made.data) throw new Error("No token was made");
  return token;
}

/** As if a token had ended a moment ago. */
export const endToken = (token: string) =>
  runSql("update public.workspace_tokens set ends_at = now() where ending = $1", [token.slice(-4)]);

type Sent = {
  body?: unknown;
  headers?: Record<string, string>;
  /** Another key for each change where none is named. */
  key?: string;
  /** The call itself is wrong on purpose, and only its answer is held against the description. */
  isBad?: true;
};
export type Answered = { status: number; headers: Headers; value: unknown };

/** Calls with one token. Every call, and every answer to one, is held against the description that the site serves. */
export class ApiClient {
  readonly #api: DescribedApi;
  readonly #token: string | undefined;
  readonly #url: string;

  constructor(api: DescribedApi, token: string | undefined, url = siteUrl) {
    this.#api = api;
    this.#token = token;
    this.#url = url;
  }

  get = (path: string, headers: Record<string, string> = {}) => this.call("GET", path, { headers });

  async call(method: string, path: string, sent: Sent = {}): Promise<Answered> {
    const { body, key, isBad } = sent;
    const target = `/api/v1${path}`;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const writes = method === "PUT" || method === "POST";
    const headers = new Headers({
      // Each has a connection of its own: the Worker closes an idle one after five seconds.
      connection: "close",
      "cf-connecting-ip": randomAddress(),
      ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(writes ? { "content-type": "application/json" } : {}),
      ...(writes ? { "idempotency-key": key ?? crypto.randomUUID() } : {}),
      ...sent.headers,
    });
    for (const [name, value] of [...headers]) if (value === "") headers.delete(name);
    if (!isBad) this.#api.expectDescribedCall(method, target, headers, body);
    const response = await fetch(this.#url + target, {
      ...{ method, headers },
      ...(text === undefined ? {} : { body: text }),
    });
    const value = await this.#api.expectDescribedAnswer(method, target, response);
    return { status: response.status, headers: response.headers, value };
  }
}
