import { brand } from "~/content/chrome";
import { contactTopics } from "~/content/contact";
import type { AppContext } from "~/http/app-context";
import { fetchWithTimeout } from "~/platform/fetch-with-timeout.server";
import { describeError, log } from "~/platform/log/log.server";
import type { ContactMessage } from "./message-form.server";

/**
 * Mails a stored message to support, if mail is configured. Never throws: the message is stored already, so a
 * failure is only logged, with the id of the message and without its text.
 */
export async function mailMessage(
  { configuration }: AppContext,
  id: string,
  { name, email, topic, message }: ContactMessage,
): Promise<void> {
  const { RESEND_API_URL, RESEND_API_KEY, SUPPORT_EMAIL } = configuration;
  if (!RESEND_API_KEY) return;
  const label = contactTopics.find(({ value }) => value === topic)?.label ?? topic;
  try {
    const response = await fetchWithTimeout(`${RESEND_API_URL}/emails`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${RESEND_API_KEY}`,
        "content-type": "application/json",
        // Resend delivers one mail for each key, however often it gets the request.
        "idempotency-key": id,
      },
      body: JSON.stringify({
        from: `${brand} <${SUPPORT_EMAIL}>`,
        to: [SUPPORT_EMAIL],
        reply_to: email,
        subject: `[${label}] Message from ${name}`,
        text: `${message}\n\n--\nFrom: ${name} <${email}>\nTopic: ${label}\nReference: ${id}\n`,
      }),
    });
    await response.body?.cancel();
    if (response.ok) return;
    log.error("A contact message was not mailed", { id, status: response.status });
  } catch (error) {
    log.error("A contact message was not mailed", { id, ...describeError(error) });
  }
}
