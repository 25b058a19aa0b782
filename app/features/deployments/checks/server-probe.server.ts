import { readBody } from "~/http/body.server";
import type { Configuration } from "~/platform/env/configuration.server";

const timeoutMs = 5_000;
const maxAnswerBytes = 1024;

/** What answers at a server's HTTPS address. */
export type ServerAnswer = "livekit" | "starting" | "nothing" | "certificate" | "other";

/**
 * Asks `https://DOMAIN/` once, where LiveKit answers "OK". It follows no redirect, and nothing of the answer leaves this
 * function. The site calls it only for a domain that resolves to the public address of the customer's server, and the
 * servers Worker only for a name of a deployment.
 */
export async function probeServer(
  { SERVER_PROBE_URL }: Pick<Configuration, "SERVER_PROBE_URL">,
  domain: string,
): Promise<ServerAnswer> {
  const base = SERVER_PROBE_URL ? `${SERVER_PROBE_URL}/${domain}` : `https://${domain}`;
  try {
    const response = await fetch(`${base}/`, {
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = await readBody(response, maxAnswerBytes);
    return answerOf(response.status, body?.trim());
  } catch (error) {
    return /tls|ssl|certificate/i.test(String(error)) ? "certificate" : "nothing";
  }
}

/**
 * At Cloudflare a Worker gets 525 and 526 where the server has no good certificate, and other answers from 520 to 530
 * where it was not reached. LiveKit answers 406 until it knows its own load.
 */
function answerOf(status: number, body: string | undefined): ServerAnswer {
  if (status === 200 && body === "OK") return "livekit";
  if (status === 406 && body === "Not Ready") return "starting";
  if (status === 525 || status === 526) return "certificate";
  return status >= 520 && status <= 530 ? "nothing" : "other";
}
