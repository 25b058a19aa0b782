import * as z from "zod/mini";
import { challengeWords } from "~/content/challenge";
import type { AppContext } from "~/http/app-context";
import { type Configuration, testingKey } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import type { Challenge } from "./challenge-field";
import { tokenField } from "./token-field";

const maxTokenLength = 2_048;
const timeoutMs = 4_000;

const answer = z.object({
  success: z.boolean(),
  hostname: z.optional(z.string()),
  action: z.optional(z.string()),
  "error-codes": z._default(z.array(z.string()), []),
});
type SiteverifyAnswer = z.output<typeof answer>;

export type ChallengeRefusal = { status: 403 | 503; message: string };

/** What a page needs to show the challenge; undefined when Turnstile is not configured. */
export function challengeOf(configuration: Configuration): Challenge | undefined {
  const { TURNSTILE_SITE_KEY: siteKey, TURNSTILE_API_URL } = configuration;
  if (!siteKey) return;
  return { siteKey, script: `${TURNSTILE_API_URL}/turnstile/v0/api.js?render=explicit` };
}

/**
 * Checks the Turnstile token of a form. Returns a refusal when Turnstile did not find a person, or when the token
 * was made for another form; undefined when the form may go on, or when Turnstile is not configured. The form is
 * also refused when Turnstile does not answer; otherwise an attacker who can block its answer would be let through.
 */
export async function refuseMachines(
  context: AppContext,
  request: Request,
  form: URLSearchParams,
  action: string,
): Promise<ChallengeRefusal | undefined> {
  const { configuration } = context;
  const secret = configuration.TURNSTILE_SECRET_KEY;
  if (!secret) return;
  const token = form.get(tokenField) ?? "";
  if (!token) return refused("no token", challengeWords.missing);
  if (token.length > maxTokenLength) return refused("too long a token", challengeWords.failed);

  const verified = await verify(context, {
    secret,
    response: token,
    remoteip: request.headers.get("cf-connecting-ip") ?? "",
    // A token is accepted once. With this key the same check can be repeated when its answer was lost.
    idempotency_key: crypto.randomUUID(),
  });
  if (!verified) return { status: 503, message: challengeWords.unavailable };
  if (!verified.success) return refused(verified["error-codes"].join(), challengeWords.failed);
  // For Cloudflare's test keys the answer names neither our host nor the form, so nothing can be compared.
  if (testingKey.test(secret)) return;
  if (verified.hostname !== new URL(configuration.SITE_URL).hostname)
    return refused("another host's token", challengeWords.failed);
  if (verified.action !== action) return refused("another form's token", challengeWords.failed);

  function refused(why: string, message: string): ChallengeRefusal {
    log.warn("A challenge was not passed", { form: action, why: why.slice(0, 100) });
    return { status: 403, message };
  }
}

/** Turnstile's verdict; undefined, and logged, when Turnstile gave none. */
async function verify(
  { configuration }: AppContext,
  fields: Record<string, string>,
): Promise<SiteverifyAnswer | undefined> {
  const url = `${configuration.TURNSTILE_API_URL}/turnstile/v0/siteverify`;
  for (const attempt of [1, 2]) {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(fields),
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      const verdict = answer.parse(await response.json());
      const ours = verdict["error-codes"].find((code) => isNoVerdict.test(code));
      if (verdict.success || !ours) return verdict;
      log.error("Turnstile did not decide", { attempt, code: ours });
    } catch (error) {
      log.error("Turnstile did not answer", { attempt, ...describeError(error) });
    }
  }
}

/** Error codes for a fault of ours or of Turnstile's, which say nothing about the visitor. */
const isNoVerdict = /^(missing-input-secret|invalid-input-secret|bad-request|internal-error)$/;
