import { contactTopics } from "~/content/contact";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import { askResend } from "~/platform/mail/resend.server";
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
  if (!configuration.RESEND_API_KEY) return;
  const label = contactTopics.find(({ value }) => value === topic)?.label ?? topic;
  try {
    const response = await askResend(configuration, id, {
      to: configuration.SUPPORT_EMAIL,
      replyTo: email,
      subject: `[${label}] Message from ${name}`,
      text: `${message}\n\n--\nFrom: ${name} <${email}>\nTopic: ${label}\nReference: ${id}\n`,
    });
    await response.body?.cancel();
    if (response.ok) return;
    log.error("A contact message was not mailed", { id, status: response.status });
  } catch (error) {
    log.error("A contact message was not mailed", { id, ...describeError(error) });
  }
}
