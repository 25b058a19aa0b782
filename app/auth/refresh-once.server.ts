import { describeError, log } from "~/observability/log.server";

/** What the auth server said to a refresh. Text, because a body belongs to the request that asked. */
export type RefreshAnswer = { status: number; body: string; headers: [string, string][] };

type Ask = () => Promise<Response | undefined>;
type Flight = { answer: Promise<RefreshAnswer | undefined>; endedAt: number | undefined };

/** As long as the auth server itself takes a token that was just used (its reuse interval). */
const keptForMs = 10_000;
/** No try begins later than this after the first. */
const triesForMs = 3_000;
/** Longer than the last try may take. */
const waitForLeaderMs = 12_000;
const flightLimit = 1_000;

const flights = new Map<string, Flight>();

/**
 * Asks the auth server once for all requests of this isolate that hold the same refresh token, and
 * gives each the same answer; undefined when there was none. Whoever comes within ten seconds is
 * given it too: a browser sends the old cookie until the new one has arrived. The key is a hash of
 * the token, so nobody is given what they could not have asked for. `ask` answers undefined when it
 * may not ask.
 */
export async function refreshOnce(
  refreshToken: string,
  ask: Ask,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<RefreshAnswer | undefined> {
  const key = await hash(refreshToken);
  for (;;) {
    forgetOld();
    const flight = flights.get(key) ?? lead(key, ask, waitUntil);
    const answer = await Promise.race([flight.answer, leaderIsGone()]);
    if (answer !== "leader is gone") return answer;
    // Whoever led was cut off. The first of those who waited leads now.
    if (flights.get(key) === flight) flights.delete(key);
  }
}

function lead(key: string, ask: Ask, waitUntil: (work: Promise<unknown>) => void): Flight {
  const flight: Flight = { answer: askPatiently(ask), endedAt: undefined };
  flights.set(key, flight);
  const landed = flight.answer.then((answer) => {
    if (answer?.status === 200) flight.endedAt = Date.now();
    else if (flights.get(key) === flight) flights.delete(key);
  });
  // A visitor who goes away must not take the answer along: the old token is used up by now.
  waitUntil(landed);
  return flight;
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

/** Tokens stay in memory no longer than they are of use, and never in any number. */
function forgetOld(): void {
  const now = Date.now();
  for (const [key, { endedAt }] of flights) {
    const isOld = endedAt !== undefined && now - endedAt > keptForMs;
    if (isOld || flights.size >= flightLimit) flights.delete(key);
  }
}

/** An isolate may end a request that others wait for, and tells them nothing: they wait no longer than this. */
function leaderIsGone(): Promise<"leader is gone"> {
  return new Promise((resolve) => setTimeout(resolve, waitForLeaderMs, "leader is gone" as const));
}

async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return String.fromCharCode(...new Uint8Array(digest));
}
