import { brand } from "~/content/chrome";
import type { Configuration } from "../env/configuration.server";
import { fetchWithTimeout } from "../fetch-with-timeout.server";

type Mail = { to: string; replyTo: string; subject: string; text: string; html?: string };

/**
 * Asks Resend to send a mail from the site. Resend delivers one mail for each `id`, however often it gets the request
 * within 24 hours. The caller reads or cancels the body of the answer. Rejects when Resend does not answer.
 */
export function askResend(
  { RESEND_API_URL, RESEND_API_KEY, SUPPORT_EMAIL }: Configuration,
  id: string,
  { to, replyTo, ...content }: Mail,
): Promise<Response> {
  return fetchWithTimeout(`${RESEND_API_URL}/emails`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${RESEND_API_KEY}`,
      "content-type": "application/json",
      "idempotency-key": id,
    },
    body: JSON.stringify({
      from: `${brand} <${SUPPORT_EMAIL}>`,
      to: [to],
      reply_to: replyTo,
      ...content,
    }),
  });
}
