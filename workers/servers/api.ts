import { WorkerEntrypoint } from "cloudflare:workers";
import { answerCall } from "~/features/api/answer";
import type { ApiCall, Records } from "~/features/api/call";
import { openApi } from "~/features/api/openapi";
import type { ApiAnswer } from "~/features/api/problem";
import { Bundles } from "./bundles";
import { Fleets } from "./fleets";

let description: string | undefined;

/**
 * The API of workspaces, for the site, whose binding is the only way here: it has found whose token a call has, and
 * passes what reads and writes that workspace's rows in PostgreSQL.
 */
export class Api extends WorkerEntrypoint<ServersEnv> {
  answer(call: ApiCall, records: Records): Promise<ApiAnswer> {
    const [fleets, bundles] = [new Fleets(this.ctx, this.env), new Bundles(this.ctx, this.env)];
    return answerCall(call, { records, fleets, bundles, now: Date.now() });
  }

  /** The API in OpenAPI 3.1. */
  description(): string {
    description ??= JSON.stringify(openApi());
    return description;
  }
}
