import { AuthRetryableFetchError } from "@supabase/supabase-js";
import type { AppContext } from "~/http/app-context";
import { sha256Hex } from "~/http/hashes";
import { withinLimit } from "~/http/rate-limit.server";
import { sharedAnswers } from "~/http/shared-answers.server";
import { authServerFetch, isOfAuthServer } from "~/platform/auth-server/auth-server-fetch.server";
import { asUnsentText, isChallenge } from "~/platform/auth-server/unsent-text.server";
import { describeError, log } from "~/platform/log/log.server";
import { sessionMemory } from "./live-session.server";
import { accessTokenBeside, type Cookie } from "./session-cookies.server";
import { isBeyondPublishedKeys, mayBeGenuine, publishedKeys } from "./token-signature.server";

/** Hashes of the tokens beyond the published keys that the auth server has confirmed lately. It is still asked. */
const confirmed = sessionMemory();

/** The visitor whose client is watched. `sent`: the cookies of the request, as the client reads them. */
export type Watching = {
  request: Request;
  context: AppContext;
  sent: Promise<readonly Cookie[]>;
};

/**
 * A `fetch` for one visitor's auth client that detects an outage of the auth server, and shares refreshes with
 * other requests. The client by itself would repeat a refresh for half a minute, and would end the session at a
 * 429. `outage` resolves when the auth server has failed for this request, and otherwise never.
 */
export function watchForOutage({ request, context, sent }: Watching) {
  const { promise: outage, resolve } = Promise.withResolvers<AuthRetryableFetchError>();
  const ask = authServerFetch(context);
  let down: AuthRetryableFetchError | undefined;
  let mayAskWho: Promise<boolean> | undefined;

  const watchedFetch: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!isOfAuthServer(url, context)) return ask(input, init);
    // After an outage every further call fails at once; the client would otherwise keep trying.
    if (down) throw down;
    try {
      return await askAuthServer(url, () => ask(input, init), init);
    } catch (error) {
      const message = error instanceof Error ? error.message : "The auth server did not answer";
      down = new AuthRetryableFetchError(message, error instanceof OverLimit ? 429 : 0);
      resolve(down);
      throw down;
    }
  };
  /** Calls a path of the auth server. */
  const askServer = (path: string) =>
    watchedFetch(`${context.configuration.SUPABASE_URL}/auth/v1${path}`);
  return { watchedFetch, outage, askServer };

  async function askAuthServer(url: URL, askOnce: () => Promise<Response>, init?: RequestInit) {
    const grant = url.searchParams.get("grant_type");
    if (grant === "refresh_token") return refresh(refreshTokenIn(init?.body), askOnce);
    if (url.pathname.endsWith("/auth/v1/.well-known/jwks.json")) {
      const keys = await publishedKeys(async () => whole(await askOnce()));
      return Response.json(keys ?? { keys: [] });
    }
    if (url.pathname.endsWith("/auth/v1/user") && init?.method === "GET") {
      const [, token = ""] = new Headers(init.headers).get("authorization")?.split(" ") ?? [];
      mayAskWho ??= isWithinQuestions(token);
      if (!(await mayAskWho)) throw new OverLimit("Too many tokens beyond the published keys");
      const answer = await whole(await askOnce());
      if (answer.ok) confirmed.remember(await sha256Hex(token));
      return answer;
    }
    const answer = await askOnce();
    const response = isChallenge(url.pathname) ? await asUnsentText(answer) : answer;
    if (grant === "pkce" && response.ok) return withoutProviderTokens(response);
    return whole(response, init?.method);
  }

  /** Refreshes a session. A session whose token the auth server has not signed is refused without a call. */
  async function refresh(token: string, askOnce: () => Promise<Response>): Promise<Response> {
    const accessToken = await accessTokenBeside(token, await sent);
    if (accessToken !== undefined && !(await mayBeGenuine(accessToken, context, askKeys))) {
      return Response.json({ error_code: "bad_jwt", msg: "Not signed by us" }, { status: 401 });
    }
    let isWithin = true;
    const askWithinLimit = async () => {
      isWithin &&= await withinLimit(context, "REFRESH_LIMIT", request);
      return isWithin ? askOnce() : undefined;
    };
    const answer = await refreshOnce(token, askWithinLimit, (work) => context.waitUntil(work));
    if (answer) return new Response(answer.body, answer);
    if (!isWithin) throw new OverLimit("Too many refreshes from one address");
    throw new Error("The auth server did not refresh the session");
  }

  /**
   * Limits calls about invented tokens: each makes us ask the auth server, so they are counted like refreshes. A
   * genuine token is counted now and then, whichever number of pages its owner opens.
   */
  async function isWithinQuestions(token: string): Promise<boolean> {
    if (!(await isBeyondPublishedKeys(token, askKeys))) return true;
    if (confirmed.recalls(await sha256Hex(token))) return true;
    return withinLimit(context, "REFRESH_LIMIT", request);
  }

  async function askKeys(path: string): Promise<Response> {
    return whole(await ask(`${context.configuration.SUPABASE_URL}/auth/v1${path}`));
  }
}

/** Thrown when the visitor is over a limit. This is no outage: the auth server was not called. */
class OverLimit extends Error {}

/** Logs an outage of the auth server. A visitor over a limit was logged already. */
export function logOutage(error: { status?: number | undefined }): void {
  if (error.status === 429) return;
  log.error("The auth server did not answer", describeError(error));
}

/** Reads an answer with its whole body. A body that breaks off counts as an outage, like a missing answer. */
async function whole(response: Response, method = "GET"): Promise<Response> {
  // A 429 to the question who the user is says nothing about the user, so it must not sign them out.
  const noWordOnWho = response.status === 429 && method === "GET";
  if (response.status < 500 && !noWordOnWho) {
    return response.status === 204
      ? response
      : new Response(await response.arrayBuffer(), response);
  }
  await response.body?.cancel();
  throw new Error(`The auth server answered ${response.status}`);
}

/**
 * Removes the provider's tokens from a new session. The client would store them in the session cookies, where
 * nothing reads them, and some have several kilobytes.
 */
async function withoutProviderTokens(response: Response): Promise<Response> {
  const text = await response.text();
  const isOfProvider = (key: string) =>
    key === "provider_token" || key === "provider_refresh_token";
  try {
    const filtered: unknown = JSON.parse(text, (key, value) =>
      isOfProvider(key) ? undefined : value,
    );
    return Response.json(filtered, response);
  } catch {
    return new Response(text, response);
  }
}

function refreshTokenIn(body: unknown): string {
  const { refresh_token }: { refresh_token: unknown } = JSON.parse(String(body));
  return String(refresh_token);
}

/** The auth server's answer to a refresh. The body is text, because a stream belongs to one request. */
type RefreshAnswer = { status: number; body: string; headers: [string, string][] };

type Ask = () => Promise<Response | undefined>;

/** The last try begins within this time after the first. */
const triesForMs = 3_000;

const share = sharedAnswers<RefreshAnswer | undefined>({
  // The tries and the timeout of the last one take less.
  waitMs: 12_000,
  // The auth server accepts a used refresh token for the same time (its reuse interval).
  cachedForMs: (answer) => (answer?.status === 200 ? 10_000 : 0),
});

/**
 * Refreshes a session once for all requests of this isolate with the same refresh token. All get the same answer,
 * also those of the next ten seconds, because a browser sends the old cookie until it has received the new one.
 * Undefined when the auth server did not answer, or when `ask` returned undefined because it may not ask.
 */
async function refreshOnce(
  refreshToken: string,
  ask: Ask,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<RefreshAnswer | undefined> {
  return share(await sha256Hex(refreshToken), () => askWithRetries(ask), waitUntil);
}

/** Retries after 200 ms, doubled each time, while the auth server or the network to it is down. */
async function askWithRetries(ask: Ask): Promise<RefreshAnswer | undefined> {
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
