import { sharedAnswers } from "~/http/cache/shared-answers.server";
import { sha256Hex } from "~/http/encodings/sha256";
import { describeError, log } from "~/platform/log/log.server";

/** What the auth server said to a refresh. Text, because a body belongs to the request that asked. */
export type RefreshAnswer = { status: number; body: string; headers: [string, string][] };

type Ask = () => Promise<Response | undefined>;

/** No try begins later than this after the first. */
const triesForMs = 3_000;

const share = sharedAnswers<RefreshAnswer | undefined>({
  // Longer than the last try may take.
  waitMs: 12_000,
  // As long as the auth server itself takes a token that was just used (its reuse interval).
  keptForMs: (answer) => (answer?.status === 200 ? 10_000 : 0),
});

/**
 * Asks the auth server once for all requests of this isolate that hold the same refresh token, and
 * gives each the same answer; undefined when there was none. Whoever comes within ten seconds is
 * given it too: a browser sends the old cookie until the new one has arrived. `ask` answers undefined
 * when it may not ask.
 */
export async function refreshOnce(
  refreshToken: string,
  ask: Ask,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<RefreshAnswer | undefined> {
  return share(await sha256Hex(refreshToken), () => askPatiently(ask), waitUntil);
}

/** Tries again after 200 ms, doubled each time, while the auth server or the way to it is down. */
async function askPatiently(ask: Ask): Promise<RefreshAnswer | undefined> {
  const began = Date.now();
  for (let wait = 200; ; wait *= 2) {
    const answer = await askForText(ask);
    if (typeof answer === "object") return answer;
    if (answer === "give up" || Date.now() - began + wait > triesForMs) return;
    // An auth server that comes back is not met by everybody at once.
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
      // A network that fails beyond our own gateway is told by its status too, 502 to 530.
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
