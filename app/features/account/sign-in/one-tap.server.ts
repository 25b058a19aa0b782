import * as z from "zod/mini";
import { signInFailures } from "~/content/sign-in-labels";
import {
  type AttemptLimit,
  resetAttempts,
  takeAttempt,
} from "~/features/auth/attempt-limit.server";
import { type Failure, failureOf } from "~/features/auth/auth-errors.server";
import { isOutage, type Session } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import { siteCookies } from "~/http/cookies";
import { sealedCookie } from "~/http/cookies.server";
import { toBase64url } from "~/http/encodings";
import { sha256Hex } from "~/http/hashes";
import { describeError, log } from "~/platform/log/log.server";
import { arrive } from "./arrive.server";
import type { OneTapPrompt } from "./one-tap";

function nonceCookie(context: Pick<AppContext, "configuration">) {
  return sealedCookie(context, "one-tap", z.object({ nonce: z.string() }));
}

const nonceUse: AttemptLimit = { kind: "one-tap", maxAttempts: 1, seconds: siteCookies["one-tap"] };

/**
 * What the sign-up page needs to show Google One Tap, and the cookie that ties its answer to this browser. Google gets the
 * hash of the nonce in the cookie, so the token that it signs is good with this cookie alone. Undefined where One Tap is
 * not configured.
 */
export async function oneTapOf(
  context: AppContext,
  request: Request,
): Promise<{ prompt: OneTapPrompt; cookie?: string } | undefined> {
  const { GOOGLE_ONE_TAP_CLIENT_ID: clientId, GOOGLE_IDENTITY_URL } = context.configuration;
  if (!clientId) return;
  const cookie = nonceCookie(context);
  // The page may be open in two tabs, and reads its data again: both go on with the first nonce.
  const before = (await cookie.read(request))?.nonce;
  const nonce = before ?? toBase64url(crypto.getRandomValues(new Uint8Array(32)));
  const prompt = {
    clientId,
    script: `${GOOGLE_IDENTITY_URL}/gsi/client`,
    nonce: await sha256Hex(nonce),
  };
  return before ? { prompt } : { prompt, cookie: await cookie.keep({ nonce }) };
}

/**
 * Signs somebody in by the ID token that Google gave the page. The auth server checks who signed it, for whom, and its
 * nonce. Each nonce is good for one sign-in, also from a browser that keeps the cookie.
 */
export async function signInWithIdToken(
  credential: string,
  { request, context, session, next }: Signing,
): Promise<Response | Failure> {
  const { GOOGLE_ONE_TAP_CLIENT_ID: clientId } = context.configuration;
  if (!clientId) return { state: "failed", status: 400, message: signInFailures.notOffered };
  const cookie = nonceCookie(context);
  const nonce = (await cookie.read(request))?.nonce;
  if (!nonce) return refused("no nonce");
  const use = await takeAttempt(context, nonce, nonceUse);
  if (use === "unknown")
    return { state: "failed", status: 503, message: signInFailures.unavailable };
  if (use === "none left") return refused("used nonce");
  const token = { provider: "google", token: credential, nonce } as const;
  const { data, error } = await session.supabase.auth.signInWithIdToken(token);
  if (!error) {
    const response = await arrive(context, data.user, next);
    response.headers.append("set-cookie", cookie.forget());
    return response;
  }
  // Nobody has signed in by it: the page goes on with the same one.
  await resetAttempts(context, nonce, nonceUse);
  // The auth server gives no code where it finds fault with a token, only a sentence.
  const isOfToken = error.status === 400 && !error.code && !isOutage(error);
  if (!isOfToken) return failureOf(error, signInFailures.oneTap);
  if (error.message.startsWith("Unacceptable audience")) {
    log.error("The auth server does not know the client of One Tap", describeError(error));
  }
  return refused(error.message.split(":")[0] ?? "");
}

type Signing = { request: Request; context: AppContext; session: Session; next: string };

function refused(reason: string): Failure {
  log.warn("An ID token was refused", { reason });
  return { state: "failed", status: 400, message: signInFailures.oneTap };
}
