import { type Batches, parseReport } from "~/features/servers/ingest/report";
import { connectText, manifestText, sessionsText } from "../connect-script/connect-text";
import { logFailure } from "../log-failure";
import { recommendedVersions } from "../state/advisory-findings";
import type { Restart } from "../state/server-record";
import { makeArchive } from "./archive.server";
import {
  type Key,
  keyAround,
  keyOf,
  keySecrets,
  tokenOf,
  withinCredentialLimit,
  withinNetworkLimit,
} from "./credentials.server";
import { parseEnrolment, parseLeaving } from "./enrolment.server";
import {
  approverLines,
  approversOf,
  orderLines,
  type RolloutEndpoint,
  rolloutFiles,
  rolloutStep,
} from "./rollout-endpoints.server";

const maxEnrolmentBytes = 4 * 1024;
const maxReportBytes = 256 * 1024;
/** A machine whose network or credential called too often comes again after a minute, in which the limits count. */
const tooOften = () => refuse("too-often", { notBefore: 60 });

type Endpoint = (request: Request, env: ServersEnv) => Promise<Response>;

const endpoints: Readonly<Record<string, Endpoint>> = {
  "/v1/archive": archive,
  "/v1/enrol": enrol,
  "/v1/report": report,
  "/v1/disconnect": disconnect,
  "/v1/approvers": byKey(approversOf),
  "/v1/rollout": byKey(rolloutStep),
  "/v1/rollout-files": byKey(rolloutFiles),
};

/** What people read, and run where a LiveKit runs already: for everybody, and the same for all. */
const texts: Readonly<Record<string, string>> = {
  "/v1/connect.sh": connectText,
  "/v1/connect.yaml": manifestText,
  "/v1/livekit-sessions.py": sessionsText,
};

/**
 * What machines call. They are counted by their network before anything else, and by their token or server before the
 * body is read; nothing that they send makes a 5xx.
 */
export async function answerMachine(request: Request, env: ServersEnv): Promise<Response> {
  const { pathname } = new URL(request.url);
  const endpoint = endpointOf(request.method, pathname);
  if (!endpoint) return refuse("not-found");
  try {
    if (!(await withinNetworkLimit(request, env, "machine"))) return tooOften();
    return await endpoint(request, env);
  } catch (error) {
    logFailure("A machine was not answered", error, { pathname });
    return refuse("unavailable");
  }
}

function endpointOf(method: string, pathname: string): Endpoint | undefined {
  if (method === "POST")
    return Object.hasOwn(endpoints, pathname) ? endpoints[pathname] : undefined;
  const text = method === "GET" && Object.hasOwn(texts, pathname) ? texts[pathname] : undefined;
  return text === undefined ? undefined : async () => textFile(text);
}

function textFile(text: string): Response {
  return new Response(text, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}

/** The files of a new machine, for its user data that names their hash. Nothing is used up: a lost answer may be asked for again. */
async function archive(request: Request, env: ServersEnv): Promise<Response> {
  const token = await tokenOf(request, keySecrets(env));
  if (!token) return refuse("unknown-token");
  if (!(await withinCredentialLimit(env, `token ${token.tokenHash}`))) return tooOften();
  const body = await readBody(request, maxEnrolmentBytes);
  if (!body.ok) return refuse("unreadable");
  const found = await env.FLEETS.getByName(token.workspace).archiveInputs(token.tokenHash);
  if ("refused" in found) return refuse(found.refused);
  const { deployment, inputs } = found;
  const made = makeArchive(inputs, deployment, token.text, body.text.trim());
  if (!made) {
    logFailure("The user data of a machine is of other files", "archive-changed", { deployment });
    return refuse("archive-changed");
  }
  return new Response(made, {
    headers: { "content-type": "application/gzip", "cache-control": "no-store" },
  });
}

async function enrol(request: Request, env: ServersEnv): Promise<Response> {
  const token = await tokenOf(request, keySecrets(env));
  if (!token) return refuse("unknown-token");
  if (!(await withinCredentialLimit(env, `token ${token.tokenHash}`))) return tooOften();
  const body = await readBody(request, maxEnrolmentBytes);
  const enrolment = body.ok ? parseEnrolment(body.text) : undefined;
  if (!enrolment) return refuse("unreadable");
  const { workspace, tokenHash } = token;
  const enrolled = await env.FLEETS.getByName(workspace).enrol(tokenHash, enrolment);
  if ("refused" in enrolled) return refuse(enrolled.refused);
  const { server, approvers } = enrolled;
  const key = { workspace, server, keyHash: enrolment.keyHash };
  const { prefix, tag } = await keyAround(keySecrets(env), key);
  return answer({ server, "key-prefix": prefix, "key-tag": tag, ...approverLines(approvers) });
}

async function report(request: Request, env: ServersEnv): Promise<Response> {
  const key = await keyOf(request, keySecrets(env));
  if (!key) return refuse("unknown-key", { by: request });
  if (!(await withinCredentialLimit(env, `server ${key.server}`))) return tooOften();
  const body = await readBody(request, maxReportBytes);
  if (!body.ok) return refuse(body.code);
  const read = parseReport(body.text);
  if (!read.ok) return refuse("unreadable", { by: request, line: read.line });
  const taken = await env.FLEETS.getByName(key.workspace).report(key, read.report);
  if (taken.outcome === "taken") {
    const recommended = recommendedVersions(read.report);
    const isTaken = await takeSessions(env, key, read, taken.restarts);
    return answer({
      taken: read.report.seq,
      ...(recommended ? { recommended } : {}),
      ...(isTaken && read.events ? { events: `${read.events.spool} ${read.events.through}` } : {}),
      ...(isTaken && read.evidence
        ? { evidence: `${read.evidence.spool} ${read.evidence.through}` }
        : {}),
      ...(isTaken && read.agents ? { agents: read.agents.through } : {}),
      ...orderLines(taken),
    });
  }
  if (!("waitMs" in taken)) return refuse(taken.outcome, { by: request });
  const notBefore = Math.ceil(taken.waitMs / 1_000);
  if (taken.outcome === "too-often") return refuse("too-often", { notBefore });
  return answer({ paused: read.report.seq, "not-before": notBefore });
}

/** Whether the server's history has them. Otherwise the machine is not told that it has, and sends them again. */
async function takeSessions(
  env: ServersEnv,
  key: Key,
  { events, evidence, agents }: Batches,
  restarts: readonly Restart[],
): Promise<boolean> {
  if (!events && !evidence && !agents && restarts.length === 0) return false;
  const { server, workspace } = key;
  try {
    const history = env.HISTORIES.getByName(server);
    const through = await history.take({ events, evidence, agents, restarts });
    if (through > 0) await env.FLEETS.getByName(workspace).endRestarts(key, through);
    return true;
  } catch (error) {
    logFailure("Sessions were not taken", error, { server });
    return false;
  }
}

/** What a machine asks or says with its key of its own server's rollouts. */
function byKey(answerTo: RolloutEndpoint): Endpoint {
  return async (request, env) => {
    const key = await keyOf(request, keySecrets(env));
    if (!key) return refuse("unknown-key");
    if (!(await withinCredentialLimit(env, `server ${key.server}`))) return tooOften();
    const body = await readBody(request, maxEnrolmentBytes);
    if (!body.ok) return refuse("unreadable");
    const answered = await answerTo(body.text, env.FLEETS.getByName(key.workspace), key);
    if ("refused" in answered) return refuse(answered.refused);
    if ("lines" in answered) return answer(answered.lines);
    return new Response(answered.zip, {
      headers: { "content-type": "application/zip", "cache-control": "no-store" },
    });
  };
}

async function disconnect(request: Request, env: ServersEnv): Promise<Response> {
  const key = await keyOf(request, keySecrets(env));
  if (!key) return refuse("unknown-key", { by: request });
  if (!(await withinCredentialLimit(env, `server ${key.server}`))) return tooOften();
  const body = await readBody(request, maxReportBytes);
  if (!body.ok) return refuse(body.code);
  const leaving = parseLeaving(body.text);
  if (!leaving) return refuse("unreadable");
  const left = await env.FLEETS.getByName(key.workspace).disconnect(key, leaving);
  if ("refused" in left) return refuse(left.refused, { by: request });
  return answer({ [left.ended ? "disconnected" : "kept"]: key.server });
}

/** Why a machine is refused: the status, and what the person at the machine can do. */
export const refusals = {
  "unknown-token": [401, "This token was not made here. Copy it again from the console."],
  "token-ended": [410, "This token has ended. Make a new one in the console."],
  "token-used": [410, "This token was used by as many machines as it is for. Make a new one."],
  "token-revoked": [410, "This token was revoked. Make a new one in the console."],
  "archive-changed": [
    409,
    "We make other files by now than this user data is for. Make new user data in the console.",
  ],
  "plan-limit": [
    403,
    "The plan of this workspace has no place for one more server. Disconnect one in the console, or change the plan.",
  ],
  "unknown-key": [401, "This key is not known. Connect again: sudo livekit-deploy connect"],
  "key-revoked": [
    410,
    "This server was disconnected. To connect it again: sudo livekit-deploy connect",
  ],
  "another-machine": [
    409,
    "This key belongs to another machine. Allow this one on the server's page in the console.",
  ],
  "machine-refused": [
    409,
    "This machine was refused: the key belongs to another one. With a token of its own it connects: sudo livekit-deploy connect",
  ],
  "no-rollout": [404, "There is no such rollout of this server now."],
  "too-large": [413, "The report is larger than 256 KiB."],
  "too-often": [429, "Too many calls. The next one is tried later by itself."],
  unreadable: [
    400,
    "This cannot be read. Download the files again, then: sudo livekit-deploy apply FILE.zip",
  ],
  unavailable: [503, "The console cannot be reached right now. It is tried again by itself."],
  "not-found": [404, "There is nothing at this address."],
} as const satisfies Record<string, readonly [number, string]>;

export type RefusalCode = keyof typeof refusals;

/** What stands in the place of those that name a command of a bundle, where the script of a connected LiveKit calls. */
const connectedRefusals: Partial<Record<RefusalCode, string>> = {
  "unknown-key":
    "This key is not known. Take the script away, and connect this LiveKit anew with the console's command.",
  "key-revoked":
    "This server was disconnected. To connect it again take the script away, and run the console's command with a new token.",
  "machine-refused":
    "This machine was refused: the key belongs to another one. Delete the folder /opt/livekit-connect, and connect this LiveKit anew with a token of its own.",
  unreadable:
    "This cannot be read. Take the script away, and connect anew with the console's command.",
};

/** What the script calls itself. Nothing but the words of a refusal depends on it. */
const connectAgent = "livekit-connect";

/** Lines `name value` that a shell reads with `case`, and of which it evaluates nothing. */
function answer(lines: Readonly<Record<string, string | number>>, status = 200): Response {
  const all = { "livekit-deploy": 1, ...lines };
  const body = Object.entries(all).map(([name, value]) => `${name} ${value}\n`);
  return new Response(body.join(""), {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

/** `notBefore`: the seconds until the next call. */
function refuse(
  code: RefusalCode,
  more: { by?: Request; notBefore?: number; line?: number } = {},
): Response {
  const [status, usual] = refusals[code];
  const isConnected = more.by?.headers.get("user-agent") === connectAgent;
  const say = (isConnected && connectedRefusals[code]) || usual;
  return answer(
    {
      refused: code,
      say,
      ...(more.line === undefined ? {} : { line: more.line }),
      ...(more.notBefore === undefined ? {} : { "not-before": more.notBefore }),
    },
    status,
  );
}

/** `too-large` is found while reading: never more than the limit is unpacked. */
export type Body = { ok: true; text: string } | { ok: false; code: "too-large" | "unreadable" };

/** The text of a request's body, unpacked where it says that it is packed by gzip. */
async function readBody(request: Request, maxBytes: number): Promise<Body> {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip") return { ok: false, code: "unreadable" };
  if (!request.body) return { ok: true, text: "" };
  const bytes =
    encoding === "gzip" ? request.body.pipeThrough(new DecompressionStream("gzip")) : request.body;
  const reader = bytes.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, size] = ["", 0];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { ok: true, text: text + decoder.decode() };
      size += value.byteLength;
      if (size > maxBytes) {
        await reader.cancel().catch(() => undefined);
        return { ok: false, code: "too-large" };
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // A body that breaks off, that is not what its encoding says, or no UTF-8.
    return { ok: false, code: "unreadable" };
  }
}
