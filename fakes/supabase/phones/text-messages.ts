import type { SupabaseMail } from "../email-change.ts";

/** Sends a text message to a number, which has no plus sign. */
export type SendText = (phone: string, text: string) => Promise<void>;

/** The subject by which the local inbox shows what would be a text message. */
export const textSubject = "Text message";

/** Puts text messages into the inbox of mails: the one place where whoever tries the site out finds what was sent. */
export function textsIntoInbox(sendMail: (mail: SupabaseMail) => void | Promise<void>): SendText {
  return async (phone, text) => {
    await sendMail({ to: `+${phone}`, subject: textSubject, text });
  };
}
