import type { AppContext } from "~/http/app-context";
import { readBody } from "~/http/body.server";
import { entityTag, namesTag } from "~/http/hashes";
import { describeError, log } from "~/platform/log/log.server";
import type { ApiCall } from "../call";
import { type ApiAnswer, type Problem, problemAnswer, unavailable } from "../problem";
import { callerOf } from "./caller.server";
import { recordsOf } from "./records.server";

const apiBase = "/api/v1";

/** In bytes. The choices of a deployment are 5 KiB at most. */
const largestBody = 32 * 1024;

/** Answers a call of the API of workspaces: the servers Worker does, with what it is given of the database. */
export async function serveApi(request: Request, context: AppContext): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const path = pathname.slice(apiBase.length);
  if (path === "/openapi.json" && request.method === "GET") return description(request, context);
  const caller = await callerOf(request, context);
  if ("refusal" in caller) return responseOf(refusal(caller.refusal, context), caller.headers);
  const { token } = caller;
  const body = await bodyOf(request);
  if (typeof body !== "string") return responseOf(refusal(body, context), caller.headers);
  const call: ApiCall = {
    ...{ method: request.method, path, query: search, body, token },
    accept: request.headers.get("accept"),
    ifMatch: request.headers.get("if-match"),
    ifNoneMatch: request.headers.get("if-none-match"),
    key: request.headers.get("idempotency-key"),
    requestId: context.requestId,
    serversUrl: context.configuration.SERVERS_URL,
  };
  const answer = await answerOf(call, context);
  return responseOf(answer, caller.headers);
}

async function answerOf(call: ApiCall, context: AppContext): Promise<ApiAnswer> {
  try {
    return await context.bindings.API.answer(call, recordsOf(context, call.token));
  } catch (error) {
    log.error("The API was not reached", describeError(error));
    return refusal(unavailable, context);
  }
}

/** The body of a call as text; empty where its method has none. */
async function bodyOf(request: Request): Promise<string | Problem> {
  if (request.method !== "POST" && request.method !== "PUT") return "";
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\b/i.test(type)) {
    return { problem: "no-json", detail: "Send application/json." };
  }
  const body = await readBody(request, largestBody);
  return body ?? { problem: "too-large", detail: "A body has 32 KiB at most." };
}

/** The same for everybody, and asked for without a token. */
async function description(request: Request, context: AppContext): Promise<Response> {
  try {
    const body = await context.bindings.API.description();
    const headers = { etag: await entityTag(body), "cache-control": "no-cache" };
    return namesTag(request.headers.get("if-none-match"), headers.etag)
      ? new Response(null, { status: 304, headers })
      : new Response(body, { headers: { ...headers, "content-type": "application/json" } });
  } catch (error) {
    log.error("The API was not reached", describeError(error));
    return responseOf(refusal(unavailable, context), {});
  }
}

const refusal = (problem: Problem, { requestId }: AppContext): ApiAnswer =>
  problemAnswer(problem, requestId);

function responseOf(
  { status, headers, body }: ApiAnswer,
  more: Readonly<Record<string, string>>,
): Response {
  return new Response(body, { status, headers: { ...headers, ...more } });
}
