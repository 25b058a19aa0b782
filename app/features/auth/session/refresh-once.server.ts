import { sha256Hex } from "~/http/hashes";
import { sharedAnswers } from "~/http/shared-answers.server";
import { describeError, log } from "~/platform/log/log.server";

/** The auth server's answer to a refresh. The body is text, because a stream belongs to one request. */
export type RefreshAnswer = { status: number; body: string; headers: [string, string][] };

type Ask = () => Promise<Response | undefined>;

/** The last try begins within this time after the first. */
const triesForMs = 3_000;

const share = sharedAnswers<RefreshAnswer | undefined>({
  // The tries and the timeout of the last one take less.
  waitMs: 12_000,
  // The auth server accepts a used refresh token for the same time (its reuse interval).
  keptForMs: (answer) => (answer?.status === 200 ? 10_000 : 0),
});

/**
 * Refreshes a session once for all requests of this isolate with the same refresh token. All get the same answer,
 * also those of the next ten seconds, because a browser sends the old cookie until it has received the new one.
 * Undefined when the auth server did not answer, or when `ask` returned undefined because it may not ask.
 */
export async function refreshOnce(
  refreshToken: string,
  ask: Ask,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<RefreshAnswer | undefined> {
  return share(await sha256Hex(refreshToken), () => askPatiently(ask), waitUntil);
}

/** Retries after 200 ms, doubled each time, while the auth server or the network to it is down. */
async function askPatiently(ask: Ask): Promise<RefreshAnswer | undefined> {
  const began = Date.now();
  for (let wait = 200; ; wait *= 2) {
    const answer = await askForText(ask);
    if (typeof answer === "object") return answer;
    if (answer === "give up" || Date.now() - began + wait > triesForMs) return;
    // Doubled each time, so that an auth server that is coming back is not kept down by our retries.
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

async function askForText(ask: Ask): Promise<RefreshAnswer | "try again" | "give up"> {
  try {
    const response = await ask();
    if (!response) return "give up";
    const body = await response.text();
    const { status } = response;
    const noWordOnTheSession = status >= 500 || status === 429 || !isJson(body);
    if (noWordOnTheSession) {
      log.warn("The auth server did not refresh a session", { status });
      // A network failure behind Cloudflare's gateway arrives as a status from 502 to 530.
      return status >= 500 ? "try again" : "give up";
    }
    const headers: [string, string][] = [...response.headers].filter(([name]) =>
      /^(content-type|x-supabase-api-version)$/.test(name),
    );
    return { status, body, headers };
  } catch (error) {
    log.warn("The auth server did not refresh a session", describeError(error));
    return "try again";
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
