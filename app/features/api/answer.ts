import * as z from "zod/mini";
import { entityTag, namesTag, sha256Hex } from "~/http/hashes";
import { describeError, log } from "~/platform/log/log.server";
import type { ApiCall, Sources } from "./call";
import { issueWords } from "./issue-words";
import type { Operation, Outcome } from "./operations/operation";
import { operations } from "./operations/operations";
import {
  type ApiAnswer,
  type Fault,
  notFound,
  type Problem,
  problemAnswer,
  unavailable,
} from "./problem";
import { hasScope } from "./scopes";

/** Answers a call of the API. Never throws: what fails is logged, and answered by 503. */
export async function answerCall(call: ApiCall, sources: Sources): Promise<ApiAnswer> {
  try {
    const answer = await answerOrProblem(call, sources);
    return "problem" in answer ? problemAnswer(answer, call.requestId) : answer;
  } catch (error) {
    log.error("A call of the API failed", describeError(error));
    return problemAnswer(unavailable, call.requestId);
  }
}

type Matched = { operation: Operation; params: Readonly<Record<string, string>> };

/** The operation at an address; what it allows where it has none for this method. */
export function matching(method: string, path: string): Matched | { allowed: string[] } {
  const here = operations.flatMap((operation) => {
    const params = paramsOf(operation.path, path);
    return params ? [{ operation, params }] : [];
  });
  return (
    here.find(({ operation }) => operation.method === method) ?? {
      allowed: here.map(({ operation }) => operation.method),
    }
  );
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, found] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== found.length) return;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = found[at] ?? "";
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name) params[name] = value;
    else if (part !== value) return;
  }
  return params;
}

async function answerOrProblem(call: ApiCall, sources: Sources): Promise<ApiAnswer | Problem> {
  const matched = matching(call.method, call.path);
  if ("allowed" in matched) return withoutOperation(matched.allowed);
  const { operation } = matched;
  const { scope, orScope } = operation;
  const opening = [scope, orScope].filter((each) => each !== undefined);
  if (opening.length > 0 && !opening.some((each) => hasScope(call.token.scopes, each))) {
    return {
      problem: "missing-scope",
      detail: `This token does not have the scope ${opening.join(" or ")}. Make one that has it on the page API tokens of the workspace.`,
    };
  }
  const params = z.object(operation.params).safeParse(matched.params);
  if (!params.success) return notFound("address");
  const query = queryOf(operation, call.query);
  if ("problem" in query) return query;
  const body = bodyOf(operation, call.body);
  if ("problem" in body) return body;
  const run = () =>
    operation.run({ params: params.data, query: query.value, body: body.value, call, sources });
  return operation.body === undefined || operation.changesNothing
    ? answerOf(operation, call, await run())
    : withKey(operation, call, sources, run);
}

function withoutOperation(allowed: readonly string[]): Problem {
  if (allowed.length === 0) {
    const detail = "There is nothing at this address. /api/v1/openapi.json has all there are.";
    return { problem: "not-found", detail };
  }
  return {
    ...{ problem: "method", detail: `This address takes ${allowed.join(", ")} only.` },
    headers: { allow: allowed.join(", ") },
  };
}

/** The query, of which each parameter is known and there once. */
function queryOf({ query }: Operation, text: string): { value: unknown } | Problem {
  const sent = new URLSearchParams(text);
  const errors: Fault[] = [];
  for (const name of new Set(sent.keys())) {
    if (!Object.hasOwn(query, name)) {
      errors.push({ parameter: name.slice(0, 100), detail: "There is no such parameter here." });
    } else if (sent.getAll(name).length > 1) {
      errors.push({ parameter: name, detail: "It may be there once." });
    }
  }
  const read = z.object(query).safeParse(Object.fromEntries(sent), { error: issueWords });
  if (!read.success) {
    errors.push(
      ...read.error.issues.map(({ path, message }) => ({
        ...{ parameter: String(path[0]), detail: message },
      })),
    );
  }
  if (read.success && errors.length === 0) return { value: read.data };
  return {
    ...{ problem: "invalid-query", detail: "A parameter of the query is not right." },
    errors: errors.slice(0, 20),
  };
}

function bodyOf({ body }: Operation, text: string): { value: unknown } | Problem {
  if (!body) return { value: undefined };
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return { problem: "invalid-json", detail: "The body is not JSON." };
  }
  const read = body.safeParse(sent, { error: issueWords });
  if (read.success) return { value: read.data };
  return {
    ...{ problem: "invalid-body", detail: "The body is not right: see `errors`." },
    errors: read.error.issues
      .flatMap((issue) =>
        issue.code === "unrecognized_keys"
          ? issue.keys.map((key) => ({ path: [...issue.path, key], message: "Is not known here." }))
          : [issue],
      )
      .slice(0, 20)
      .map(({ path, message }) => ({
        pointer: ["#", ...path.map((part) => pointerPart(String(part)))].join("/"),
        detail: message,
      })),
  };
}

/** As a JSON pointer in a URI fragment has it. A key that somebody made up may be anything. */
const pointerPart = (key: string): string =>
  encodeURIComponent(key.slice(0, 100).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"));

/** In visible ASCII, with the quotes of a structured field or without them. */
const keyPattern = /^"?([\x21\x23-\x7e]{1,100}?)"?$/;

/** Answers a write once by its key: the same call with it gets the same answer for a day. Only what was done is kept. */
async function withKey(
  operation: Operation,
  call: ApiCall,
  { records }: Sources,
  run: () => Promise<Outcome>,
): Promise<ApiAnswer | Problem> {
  const [, key] = keyPattern.exec(call.key ?? "") ?? [];
  if (key === undefined) {
    const detail =
      "Send an Idempotency-Key of 1 to 100 visible characters, another one for each change: with it the same call can be sent again.";
    return { problem: "invalid-key", detail };
  }
  const { method, path, query, body, ifMatch } = call;
  const hash = await sha256Hex(JSON.stringify([method, path, query, body, ifMatch]));
  const begun = await records.begin(key, hash);
  if (!begun) return unavailable;
  if (begun.state === "done") {
    return {
      ...begun.answer,
      headers: { ...begun.answer.headers, "idempotency-replayed": "true" },
    };
  }
  if (begun.state !== "new") return notBegun[begun.state];
  let isSettled = false;
  try {
    const answer = await answerOf(operation, call, await run());
    if ("problem" in answer || answer.body === null) return answer;
    const { status, headers, body } = answer;
    await records.settle(key, { status, headers: { ...headers }, body });
    isSettled = true;
    return answer;
  } finally {
    if (!isSettled) await records.settle(key);
  }
}

const notBegun = {
  gone: { problem: "unknown-token", detail: "The token was revoked just now." },
  other: {
    problem: "key-reused",
    detail: "This Idempotency-Key came with another call within a day. Send a new one.",
  },
  running: {
    ...{ problem: "in-progress", detail: "The call with this Idempotency-Key is being answered." },
    headers: { "retry-after": "1" },
  },
  full: {
    problem: "too-many-changes",
    detail:
      "The tokens of this workspace made 1,000 changes within a day. Wait, then send this again.",
    headers: { "retry-after": "3600" },
  },
} as const satisfies Record<string, Problem>;

/** An answer has what its schema says and no more: what a page shows beyond that stays here. */
async function answerOf(
  { status, answer, text, method }: Operation,
  call: ApiCall,
  outcome: Outcome,
): Promise<ApiAnswer | Problem> {
  if ("problem" in outcome) return outcome;
  if (!answer && !text) return { status, headers: { "cache-control": "no-store" }, body: null };
  const body = answer ? JSON.stringify(answer.parse(outcome.value)) : String(outcome.value);
  const { headers } = outcome;
  const type = { "content-type": "application/json" };
  if (method !== "GET") {
    return { status, headers: { ...type, "cache-control": "no-store", ...headers }, body };
  }
  const etag = await entityTag(body);
  const tagged = { etag, "cache-control": "private, no-cache", vary: "authorization", ...headers };
  return namesTag(call.ifNoneMatch, etag)
    ? { status: 304, headers: tagged, body: null }
    : { status, headers: { ...type, ...tagged }, body };
}
