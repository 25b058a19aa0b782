import { escapeMarkup, toBase64, toBase64url } from "../../../http/encodings.ts";
import type { Mailbox } from "./mailboxes.ts";

export type Mail = {
  to: readonly Mailbox[];
  subject: string;
  text: string;
  /** The HTML part; made from the text when left out. */
  html?: string;
  /** Other header fields: ASCII, as they go over the wire. */
  headers?: Readonly<Record<string, string>>;
};

const crlf = "\r\n";
/** It has `=` and `_` in places where base64 has neither, so no body can contain it. */
const boundary = "=_the_same_in_two_forms";
/** RFC 2047 allows 76 characters in a line with an encoded word; the first line also has the field's name. */
const bytesPerWord = 39;

/**
 * An Internet message (RFC 5322, RFC 2045, RFC 2047) with the same content as text and as HTML.
 * Undefined when a header field would contain a control character: a line break would begin another field.
 */
export function buildMessage({ to, subject, text, html, headers = {} }: Mail): string | undefined {
  const fields: [string, string][] = [
    ["To", to.map(mailboxText).join(`,${crlf} `)],
    ["Subject", words(subject)],
    ...Object.entries(headers),
    ["MIME-Version", "1.0"],
    ["Content-Type", `multipart/alternative; boundary="${boundary}"`],
  ];
  const given = [subject, ...to.flatMap(({ name, address }) => [name, address])];
  const broken = /\p{Cc}/u;
  // A long field is folded: a line that begins with a space continues the one above.
  const written = Object.entries(headers)
    .flat()
    .map((value) => value.replaceAll(`${crlf} `, " "));
  if ([...given, ...written].some((value) => broken.test(value))) return;
  return [
    ...fields.map(([name, value]) => `${name}: ${value}`),
    "",
    ...part("text/plain", text),
    ...part("text/html", html ?? htmlOf(text)),
    `--${boundary}--`,
    "",
  ].join(crlf);
}

/** The message as the field `raw` of Gmail's API takes it. */
export function rawOf(message: string): string {
  return toBase64url(new TextEncoder().encode(message));
}

function part(type: string, content: string): string[] {
  const bytes = new TextEncoder().encode(content.replace(/\r\n?|\n/g, crlf));
  return [
    `--${boundary}`,
    `Content-Type: ${type}; charset=utf-8`,
    "Content-Transfer-Encoding: base64",
    "",
    ...(toBase64(bytes).match(/.{1,76}/g) ?? [""]),
  ];
}

function mailboxText({ name, address }: Mailbox): string {
  if (name === "") return address;
  return isPlain(name) && name.length <= 60
    ? `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`
    : `${words(name)}${crlf} <${address}>`;
}

/** Text for a header field: unchanged if it is short and plain, otherwise as encoded words. */
function words(text: string): string {
  if (isPlain(text) && text.length <= 60) return text;
  const pieces: string[] = [];
  let piece = "";
  for (const character of text) {
    if (byteLength(piece + character) > bytesPerWord) {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...pieces, piece]
    .map((each) => `=?UTF-8?B?${toBase64(new TextEncoder().encode(each))}?=`)
    .join(`${crlf} `);
}

/** Whether nothing in it needs encoding, and nothing could be taken for an encoded word. */
function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text) && !text.includes("=?") && text.trim() === text;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The text as HTML, with paragraphs, line breaks and links. */
function htmlOf(text: string): string {
  const paragraphs = text
    .replace(/\r\n?/g, "\n")
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${linked(paragraph).replaceAll("\n", "<br>\n")}</p>`);
  return `<!doctype html>\n<html><body>\n${paragraphs.join("\n")}\n</body></html>\n`;
}

function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]'])/)
    .map((piece, index) => {
      const escaped = escapeMarkup(piece);
      return index % 2 === 1 ? `<a href="${escaped}">${escaped}</a>` : escaped;
    })
    .join("");
}
