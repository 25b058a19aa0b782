import { decodeWords } from "./encoded-words.ts";

/** One receiver: a name, which may be "", and an e-mail address. */
export type Mailbox = { name: string; address: string };

export type ReadMailboxes = { ok: true; mailboxes: Mailbox[] } | { ok: false; message: string };

const localPart = "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}";
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
/** The address syntax of HTML's e-mail field, but with at least two labels in the domain. */
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

/** Reads one receiver, so that a comma is part of the name. */
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
 * Reads the To, From or Reply-To field of a received message. Names are decoded after the field was split, and
 * addresses never, so that no encoded text becomes another receiver: RFC 2047, 6.2.
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

/** Replaces line breaks and other control characters, which a header field must not contain, by spaces. */
export function onOneLine(value: string): string {
  return value
    .replace(/\p{Cc}/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Splits at commas, except those between quotation marks. */
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

/** Writes a domain with letters beyond ASCII as Punycode. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  if (at < 1 || /^[ -~]*$/.test(domain)) return address;
  const host = URL.parse(`http://${domain}`)?.hostname;
  return host ? `${address.slice(0, at)}@${host}` : address;
}
