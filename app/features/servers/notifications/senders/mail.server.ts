import { brand } from "~/content/chrome";
import { layOut } from "~/features/mail/mail-layout";
import type { Channel, Message, Sent } from "~/features/servers/notifications/channel";
import { mailOf } from "~/features/servers/notifications/message-words";
import { post } from "./ask.server";
import type { ChannelSettings } from "./settings.server";

type Mail = Extract<Channel, { kind: "mail" }>;

/** Sends a message by mail, with a key of this Worker's own at Resend. A message reaches an address once. */
export async function sendMail(
  { RESEND_API_URL, ALERT_MAIL_API_KEY, SUPPORT_EMAIL }: ChannelSettings,
  { id, address }: Mail,
  message: Message,
): Promise<Sent> {
  if (!ALERT_MAIL_API_KEY) {
    return { ok: false, retry: false, reason: "Mail is not set up on this site." };
  }
  const words = mailOf(message);
  const answer = await post(
    `${RESEND_API_URL}/emails`,
    { authorization: `Bearer ${ALERT_MAIL_API_KEY}`, "idempotency-key": `${message.id}-${id}` },
    JSON.stringify({
      from: `${brand} <${SUPPORT_EMAIL}>`,
      to: [address],
      reply_to: SUPPORT_EMAIL,
      subject: words.subject,
      ...layOut(words),
    }),
  );
  if ("ok" in answer) return answer;
  const { status, text = "" } = answer;
  if (status === 200 && text.includes('"id"')) return { ok: true };
  // An earlier try with this key was taken, when the incident was a different one.
  if (status === 409 && text.includes("invalid_idempotent_request")) return { ok: true };
  if (status === 422) {
    return { ok: false, retry: false, reason: "The mail server does not take this address." };
  }
  return { ok: false, retry: true, reason: `The mail server answered ${status}.` };
}
