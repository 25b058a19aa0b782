import * as z from "zod/mini";
import { meaningOf } from "./auth-refusals";

/** Within this the auth server's own limit lets the next mail pass or not; nobody is kept longer. */
const rememberedForMs = 60_000;

let usedUpAt = Number.NEGATIVE_INFINITY;

const usedUp = { error_code: "over_email_send_rate_limit", msg: "email rate limit exceeded" };

/**
 * `fetch` that remembers for a minute that the project's mails are used up, and then refuses every wish
 * for one itself. The auth server refuses only where a mail would go out: asked on, it would tell by its
 * answers which addresses have an account.
 */
export function respectingMailLimit(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    if (!wantsMail(new URL(input instanceof Request ? input.url : input), init)) {
      return ask(input, init);
    }
    if (Date.now() - usedUpAt < rememberedForMs) return Response.json(usedUp, { status: 429 });
    const response = await ask(input, init);
    if (response.status === 429 && (await saysUsedUp(response.clone()))) usedUpAt = Date.now();
    return response;
  };
}

function wantsMail({ pathname }: URL, init: RequestInit | undefined): boolean {
  if (!/\/auth\/v1\/(signup|otp|recover|resend|user)$/.test(pathname)) return false;
  return /^(POST|PUT)$/.test(init?.method ?? "") && /"email":"/.test(String(init?.body));
}

const refusal = z.object({
  code: z.optional(z.unknown()),
  error_code: z.optional(z.string()),
  msg: z.optional(z.string()),
  message: z.optional(z.string()),
});

/** The server writes errors in two ways, by the age of the client that asks. */
async function saysUsedUp(response: Response): Promise<boolean> {
  const read = refusal.safeParse(await response.json().catch(() => undefined));
  if (!read.success) return false;
  const { code, error_code, msg, message } = read.data;
  const named = error_code ?? (typeof code === "string" ? code : "");
  return (
    named === usedUp.error_code &&
    meaningOf({ code: named, message: msg ?? message ?? "" }) === "mail"
  );
}
