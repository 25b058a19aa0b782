import { contactTopics } from "~/content/contact";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import { askResend } from "~/platform/mail/resend.server";
import type { ContactMessage } from "./message-form.server";

/** Mails a stored message to support, if mail is configured. `about`: lines on what support should know. Never throws. */
export async function mailMessage(
  { configuration }: AppContext,
  id: string,
  { name, email, topic, message }: ContactMessage,
  about: readonly string[] = [],
): Promise<void> {
  const label = topicLabel(topic);
  const lines = [`From: ${name} <${email}>`, `Topic: ${label}`, ...about, `Reference: ${id}`];
  await send(configuration, id, id, {
    to: configuration.SUPPORT_EMAIL,
    replyTo: email,
    subject: `[${label}] Message from ${name}`,
    text: `${message}\n\n--\n${lines.join("\n")}\n`,
  });
}

/** Mails a copy of a stored message to its sender, whose address must be proven. Never throws. */
export async function mailCopy(
  { configuration }: AppContext,
  id: string,
  { email, topic, message }: ContactMessage,
  about: readonly string[],
): Promise<void> {
  const lines = [`Topic: ${topicLabel(topic)}`, ...about, `Reference: ${id}`];
  await send(configuration, id, `${id} copy`, {
    to: email,
    replyTo: configuration.SUPPORT_EMAIL,
    subject: "We have your message",
    text: `A person reads it and answers to this address. This is what you wrote:\n\n${message}\n\n--\n${lines.join("\n")}\n`,
  });
}

function topicLabel(topic: ContactMessage["topic"]): string {
  return contactTopics.find(({ value }) => value === topic)?.label ?? topic;
}

/** The message is stored already, so a failure is only logged, with the id of the message and without its text. */
async function send(
  configuration: AppContext["configuration"],
  id: string,
  key: string,
  mail: Parameters<typeof askResend>[2],
): Promise<void> {
  if (!configuration.RESEND_API_KEY) return;
  try {
    const response = await askResend(configuration, key, mail);
    await response.body?.cancel();
    if (response.ok) return;
    log.error("A contact message was not mailed", { id, status: response.status });
  } catch (error) {
    log.error("A contact message was not mailed", { id, ...describeError(error) });
  }
}
