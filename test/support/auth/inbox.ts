import { fakes } from "../site/control-fakes.ts";
import { pollUntil } from "../site/poll.ts";

export type Mail = { subject: string; to: string[]; text: string; html: string };

/** Everything that was mailed to an address, newest first. */
export async function mailsTo(address: string): Promise<Mail[]> {
  const response = await fetch(
    `${fakes().mail.url}/messages?${new URLSearchParams({ to: address })}`,
  );
  return (await response.json()) as Mail[];
}

/** The newest mail to an address with this subject, waited for. */
export async function mailTo(address: string, subject: string): Promise<Mail> {
  const mails = await pollUntil(
    () => mailsTo(address),
    (all) => all.some((mail) => mail.subject === subject),
  );
  const mail = mails.find((each) => each.subject === subject);
  if (!mail) throw new Error(`No mail ${subject} to ${address}`);
  return mail;
}

/** The link of a mail, as path and query on the site. */
export function linkIn(mail: Mail): string {
  const href = /href="([^"]+\/auth\/confirm[^"]+)"/.exec(mail.html)?.[1];
  if (!href) throw new Error(`No link in ${mail.subject}`);
  const url = new URL(href.replaceAll("&amp;", "&"));
  return url.pathname + url.search;
}

/** The one-time code of a mail. */
export function codeIn(mail: Mail): string {
  const code = /\b(\d{6,10})\b/.exec(mail.text)?.[1];
  if (!code) throw new Error(`No code in ${mail.subject}`);
  return code;
}
