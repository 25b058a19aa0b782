import * as z from "zod/mini";
import { meaningOf } from "./auth-refusals";

/** How long it is remembered that no mail can be sent. After that the auth server is asked again. */
const rememberedForMs = 60_000;

let usedUpAt = Number.NEGATIVE_INFINITY;

const usedUp = { error_code: "over_email_send_rate_limit", msg: "email rate limit exceeded" };

/**
 * A `fetch` that remembers for a minute that the project's mail limit is reached, and refuses every request for a mail
 * in that time. The auth server itself refuses only when it would send a mail, so its answers would reveal which
 * addresses have an account.
 */
export function respectingMailLimit(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    if (!wantsMail(new URL(input instanceof Request ? input.url : input), init)) {
      return ask(input, init);
    }
    if (Date.now() - usedUpAt < rememberedForMs) return Response.json(usedUp, { status: 429 });
    const response = await ask(input, init);
    if (response.status === 429 && (await isMailLimit(response.clone()))) usedUpAt = Date.now();
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

/** Whether an answer says that the mail limit is reached. The server has two error formats, by the client's version. */
async function isMailLimit(response: Response): Promise<boolean> {
  const read = refusal.safeParse(await response.json().catch(() => undefined));
  if (!read.success) return false;
  const { code, error_code, msg, message } = read.data;
  const named = error_code ?? (typeof code === "string" ? code : "");
  return (
    named === usedUp.error_code &&
    meaningOf({ code: named, message: msg ?? message ?? "" }) === "mail"
  );
}
