import { parseReport } from "~/features/servers/ingest/report";
import { logFailure } from "../log-failure";
import { answer, refuse } from "./answers.server";
import { readBody } from "./body.server";
import { withinCredentialLimit, withinNetworkLimit } from "./call-limits.server";
import { keyAround, keyOf, tokenOf } from "./credentials.server";
import { parseEnrolment, parseLeaving } from "./enrolment-lines";
import { keySecrets } from "./key-secrets.server";

const mostOfEnrolment = 4 * 1024;
const mostOfReport = 256 * 1024;
/** A machine whose network or credential called too often comes again after a minute, in which the limits count. */
const tooOften = () => refuse("too-often", { notBefore: 60 });

type Endpoint = (request: Request, env: ServersEnv) => Promise<Response>;

const endpoints: Readonly<Record<string, Endpoint>> = {
  "/v1/enrol": enrol,
  "/v1/report": report,
  "/v1/disconnect": disconnect,
};

/**
 * What machines call. They are counted by their network before anything else, and by their token or server before the
 * body is read; nothing that they send makes a 5xx.
 */
export async function answerMachine(request: Request, env: ServersEnv): Promise<Response> {
  const { pathname } = new URL(request.url);
  const endpoint = Object.hasOwn(endpoints, pathname) ? endpoints[pathname] : undefined;
  if (!endpoint || request.method !== "POST") return refuse("not-found");
  try {
    if (!(await withinNetworkLimit(request, env, "machine"))) return tooOften();
    return await endpoint(request, env);
  } catch (error) {
    logFailure("A machine was not answered", error, { pathname });
    return refuse("unavailable");
  }
}

async function enrol(request: Request, env: ServersEnv): Promise<Response> {
  const token = await tokenOf(request, keySecrets(env));
  if (!token) return refuse("unknown-token");
  if (!(await withinCredentialLimit(env, `token ${token.tokenHash}`))) return tooOften();
  const body = await readBody(request, mostOfEnrolment);
  const enrolment = body.ok ? parseEnrolment(body.text) : undefined;
  if (!enrolment) return refuse("unreadable");
  const { workspace, tokenHash } = token;
  const enrolled = await env.FLEETS.getByName(workspace).enrol(tokenHash, enrolment);
  if ("refused" in enrolled) return refuse(enrolled.refused);
  const { server } = enrolled;
  const key = { workspace, server, keyHash: enrolment.keyHash };
  const { prefix, tag } = await keyAround(keySecrets(env), key);
  return answer({ server, "key-prefix": prefix, "key-tag": tag });
}

async function report(request: Request, env: ServersEnv): Promise<Response> {
  const key = await keyOf(request, keySecrets(env));
  if (!key) return refuse("unknown-key");
  if (!(await withinCredentialLimit(env, `server ${key.server}`))) return tooOften();
  const body = await readBody(request, mostOfReport);
  if (!body.ok) return refuse(body.code);
  const read = parseReport(body.text);
  if (!read.ok) return refuse("unreadable", { line: read.line });
  const taken = await env.FLEETS.getByName(key.workspace).report(key, read.report);
  if (taken.outcome === "taken") return answer({ taken: read.report.seq });
  if (!("waitMs" in taken)) return refuse(taken.outcome);
  const notBefore = Math.ceil(taken.waitMs / 1_000);
  if (taken.outcome === "too-often") return refuse("too-often", { notBefore });
  return answer({ paused: read.report.seq, "not-before": notBefore });
}

async function disconnect(request: Request, env: ServersEnv): Promise<Response> {
  const key = await keyOf(request, keySecrets(env));
  if (!key) return refuse("unknown-key");
  if (!(await withinCredentialLimit(env, `server ${key.server}`))) return tooOften();
  const body = await readBody(request, mostOfReport);
  if (!body.ok) return refuse(body.code);
  const leaving = parseLeaving(body.text);
  if (!leaving) return refuse("unreadable");
  const left = await env.FLEETS.getByName(key.workspace).disconnect(key, leaving);
  if ("refused" in left) return refuse(left.refused);
  return answer({ [left.ended ? "disconnected" : "kept"]: key.server });
}
