import { decodeWords } from "./encoded-words.ts";

/** One receiver: a name for people, or "", and an address for machines. */
export type Mailbox = { name: string; address: string };

export type ReadMailboxes = { ok: true; mailboxes: Mailbox[] } | { ok: false; message: string };

const localPart = "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}";
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
/** As browsers read an address, with a domain of two labels at least. */
const addressShape = new RegExp(`^${localPart}@${label}(?:\\.${label})+$`);

const maxMailboxes = 50;

/** Reads `Zoë <zoe@example.com>, "Doe, Jo" <jo@example.com>, just@example.com`. */
export function readMailboxes(text: string): ReadMailboxes {
  const parts = splitAtCommas(text).filter((part) => part.trim() !== "");
  if (parts.length === 0) return wrong("Type who gets the message.");
  if (parts.length > maxMailboxes) return wrong(`${maxMailboxes} addresses at most.`);
  const mailboxes: Mailbox[] = [];
  for (const part of parts) {
    const read = readMailbox(part);
    if (!read.ok) return read;
    mailboxes.push(...read.mailboxes);
  }
  return { ok: true, mailboxes };
}

/** Reads one receiver; a comma belongs to the name then. */
export function readMailbox(text: string): ReadMailboxes {
  if (/\p{Cc}/u.test(text.trim())) return wrong("A receiver must be on one line.");
  const [, written = "", between] = /^(.*?)<([^<>]*)>$/.exec(text.trim()) ?? ["", "", text];
  const name = unquoted(written.trim());
  const address = withAsciiDomain((between ?? "").trim());
  if (!addressShape.test(address) || address.length > 254) {
    return wrong(`“${text.trim()}” is not an e-mail address.`);
  }
  return { ok: true, mailboxes: [{ name, address }] };
}

function wrong(message: string): ReadMailboxes {
  return { ok: false, message };
}

/**
 * Reads the To, From or Reply-To of a message that came. A name is decoded once the field is apart and
 * an address never, so that nothing encoded becomes another receiver: RFC 2047, 6.2.
 */
export function readMailboxField(value: string): ReadMailboxes {
  const read = readMailboxes(onOneLine(value));
  if (!read.ok) return read;
  const mailboxes = read.mailboxes.map(({ name, address }) => ({
    name: onOneLine(decodeWords(name)),
    address,
  }));
  return { ok: true, mailboxes };
}

/** Without line breaks and other control characters, which no header field may have in it. */
export function onOneLine(value: string): string {
  return value
    .replace(/\p{Cc}/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Commas between quotation marks do not separate. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  let quoted = false;
  let escaped = false;
  for (const character of text) {
    if (character === "," && !quoted) {
      parts.push(part);
      part = "";
      continue;
    }
    if (character === '"' && !escaped) quoted = !quoted;
    escaped = character === "\\" && !escaped;
    part += character;
  }
  return [...parts, part];
}

function unquoted(name: string): string {
  const [, inner] = /^"(.*)"$/.exec(name) ?? [];
  return inner === undefined ? name : inner.replace(/\\(.)/g, "$1");
}

/** Domains with other letters travel as Punycode. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  if (at < 1 || /^[ -~]*$/.test(domain)) return address;
  const host = URL.parse(`http://${domain}`)?.hostname;
  return host ? `${address.slice(0, at)}@${host}` : address;
}
