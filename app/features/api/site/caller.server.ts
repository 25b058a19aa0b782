import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import { withinApiLimit, withinLimit } from "~/http/rate-limit.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import type { ApiToken } from "../call";
import { type Problem, unavailable } from "../problem";
import { tokenHashIn } from "./token";

/** Calls of one token in a minute, which the database counts. The limits before it spare the database. */
const callsAMinute = 120;

const used = z.object({
  ...{ id: z.string(), workspace: z.string(), name: z.string(), ending: z.string() },
  ...{ scopes: z.array(z.string()), ends: z.string() },
  ...{ left: z.number(), is_over: z.boolean(), resets: z.number() },
});

/** Whose call it is, with the headers that say what is left of its minute; or why it is refused. */
export type Caller =
  | { token: ApiToken; headers: Readonly<Record<string, string>> }
  | { refusal: Problem; headers: Readonly<Record<string, string>> };

/**
 * Reads the token of a call and counts the call. Cookies play no part here. A token that was not made here is refused
 * before anybody asks the database.
 */
export async function callerOf(request: Request, context: AppContext): Promise<Caller> {
  try {
    const hash = await tokenHashIn(request.headers.get("authorization"), context.configuration);
    if (!hash) return await unknown(request, context);
    if (!(await withinApiLimit(context, request, hash))) return refused(tooOften);
    const { data, error } = await serviceClient(context.configuration).rpc("use_workspace_token", {
      ...{ hash, allowed: callsAMinute },
    });
    if (error) return notServed(error);
    if (data === null) return await unknown(request, context);
    const { id, workspace, name, ending, scopes, ends, left, is_over, resets } = used.parse(data);
    const headers = {
      ratelimit: `"token";r=${left};t=${resets}`,
      "ratelimit-policy": `"token";q=${callsAMinute};w=60`,
    };
    if (is_over) {
      return { refusal: { ...tooOften, headers: { "retry-after": String(resets) } }, headers };
    }
    const label = `Token ${name} …${ending}`;
    return { token: { id, workspace, name, label, scopes, endsAt: ends }, headers };
  } catch (error) {
    return notServed(error);
  }
}

const refused = (refusal: Problem): Caller => ({ refusal, headers: {} });

const tooOften: Problem = {
  problem: "too-often",
  detail: `More than ${callsAMinute} calls in a minute with this token, or too many from your network. Wait, then send the rest.`,
  headers: { "retry-after": "60" },
};

/** A missing, an invented, a revoked and an ended token get the same answer: a caller cannot learn which it was. */
async function unknown(request: Request, context: AppContext): Promise<Caller> {
  if (!(await withinLimit(context, "UNKNOWN_TOKEN_LIMIT", request))) {
    const detail =
      "More than 60 calls in a minute from your network had no token, or one that is unknown, revoked or ended.";
    return refused({ ...tooOften, detail });
  }
  const detail =
    "Send `Authorization: Bearer lkd_w_…` with a token of the workspace that was not revoked and has not ended.";
  return refused({
    ...{ problem: "unknown-token", detail, headers: { "www-authenticate": "Bearer" } },
  });
}

function notServed(error: unknown): Caller {
  log.error("A call of the API could not be served", describeError(error));
  return refused(unavailable);
}
