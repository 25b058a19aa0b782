import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { decodeWords } from "../../../app/features/google/mail/encoded-words.ts";
import { readMailbox, readMailboxes } from "../../../app/features/google/mail/mailboxes.ts";
import { buildMessage, rawOf } from "../../../app/features/google/mail/mime.ts";

const jo = { name: "", address: "jo@example.com" };
const parse = (message: string | undefined) => PostalMime.parse(message ?? "");
const headOf = (message: string | undefined) => (message ?? "").split("\r\n\r\n")[0] ?? "";

const subjects = [
  "Hello",
  "Grüße aus Zürich",
  "見積もりの件について、ご確認をお願いいたします。よろしくお願い申し上げます。",
  "🎉".repeat(60),
  "=?UTF-8?Q?not_an_encoded_word?=",
  "x".repeat(400),
  "a  b",
];

test.each(subjects)("the subject %j arrives as it was typed", async (subject) => {
  const message = buildMessage({ to: [jo], subject, text: "Hello" });
  expect((await parse(message)).subject).toBe(subject);
});

test.each([
  "Zoë Müller",
  "Doe, Jo",
  'Jo "the boss" \\ Doe',
  "山田 太郎",
  "Ünïcödé ".repeat(20).trim(),
  "jo@elsewhere.example",
])("the name %j arrives as it was typed", async (name) => {
  const to = [{ name, address: "jo@example.com" }, jo];
  const message = buildMessage({ to, subject: "Hello", text: "Hello" });
  expect((await parse(message)).to).toEqual([{ name, address: "jo@example.com" }, jo]);
});

test("a message says the same as text and as HTML, in UTF-8, with links that lead somewhere", async () => {
  const text = "Grüße, 太郎 🎉\nsecond line\n\n<b>& more: https://example.com/a?b=1&c=2.";
  const message = buildMessage({ to: [jo], subject: "Hello", text });
  const read = await parse(message);
  expect(read.text?.replaceAll("\r\n", "\n").trim()).toBe(text);
  expect(read.html).toContain("<p>Grüße, 太郎 🎉<br>");
  expect(read.html).toContain("&lt;b&gt;&amp; more: ");
  const link = '<a href="https://example.com/a?b=1&amp;c=2">https://example.com/a?b=1&amp;c=2</a>.';
  expect(read.html).toContain(link);
  expect(read.headers.find(({ key }) => key === "content-type")?.value).toMatch(
    /^multipart\/alternative/,
  );
});

test("every line ends in CRLF, is ASCII, and is short enough for every mail server", () => {
  const to = [{ name: "Ünïcödé ".repeat(20).trim(), address: "jo@example.com" }, jo];
  const message = buildMessage({ to, subject: "🎉".repeat(60), text: "太".repeat(5_000) }) ?? "";
  expect(message.replaceAll("\r\n", "")).not.toMatch(/[\r\n]|[^ -~]/);
  for (const line of message.split("\r\n")) expect(line.length).toBeLessThanOrEqual(76);
});

test.each(["\r\n", "\n", "\r", "\0", "\u0085"])(
  "no header can be smuggled in with %j",
  async (breaking) => {
    const injected = `Hello${breaking}Bcc: victim@example.com`;
    const fields = { to: [jo], subject: "Hello", text: injected };
    expect(buildMessage({ ...fields, subject: injected })).toBeUndefined();
    const named = { name: injected, address: "jo@example.com" };
    expect(buildMessage({ ...fields, to: [named] })).toBeUndefined();
    const addressed = { name: "", address: `jo@example.com${breaking}Bcc: victim@example.com` };
    expect(buildMessage({ ...fields, to: [addressed] })).toBeUndefined();
    expect(buildMessage({ ...fields, headers: { "In-Reply-To": injected } })).toBeUndefined();
    expect(buildMessage({ ...fields, headers: { [injected]: "x" } })).toBeUndefined();
    expect((await parse(buildMessage(fields))).bcc).toBeUndefined();
  },
);

test("fields of a reply arrive, a long one over several lines", async () => {
  const ids = Array.from({ length: 20 }, (_, at) => `<message-${at}@mail.example.com>`);
  const headers = { "In-Reply-To": ids[19] ?? "", References: ids.join("\r\n ") };
  const message = buildMessage({ to: [jo], subject: "Re: Hello", text: "Yes", headers });
  const read = await parse(message);
  expect(read.inReplyTo).toBe(ids[19]);
  expect(read.references).toBe(ids.join(" "));
  expect(headOf(message)).not.toContain("\r\n\r\n");
});

test("raw is the message in base64url", () => {
  const message = buildMessage({ to: [jo], subject: "???>>>", text: "ÿþ" }) ?? "";
  expect(rawOf(message)).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(Buffer.from(rawOf(message), "base64url").toString()).toBe(message);
});

test("receivers are read with and without names, and with commas in them", () => {
  const text = 'Zoë <zoe@example.com>, "Doe, \\"Jo\\"" <jo@example.com>,, a+b@sub.example.org ';
  expect(readMailboxes(text)).toEqual({
    ok: true,
    mailboxes: [
      { name: "Zoë", address: "zoe@example.com" },
      { name: 'Doe, "Jo"', address: "jo@example.com" },
      { name: "", address: "a+b@sub.example.org" },
    ],
  });
  const domain = readMailbox("jo@bücher.example");
  expect(domain).toMatchObject({ mailboxes: [{ address: "jo@xn--bcher-kva.example" }] });
  expect(readMailbox("Doe, Jo <jo@example.com>")).toMatchObject({
    mailboxes: [{ name: "Doe, Jo", address: "jo@example.com" }],
  });
});

test.each([
  "",
  " , ",
  "nobody",
  "a@b",
  "a@b@example.com",
  "a b@example.com",
  "<x@example.com",
  "a@example.com\nBcc: b@example.com",
  "a@-example.com",
])("%j is nobody who could get a message", (text) => {
  expect(readMailboxes(text).ok).toBe(false);
});

test.each([
  ["=?UTF-8?B?R3LDvMOfZQ==?=", "Grüße"],
  ["=?utf-8?q?Gr=C3=BC=C3=9Fe_aus?= Z", "Grüße aus Z"],
  ["=?ISO-8859-1?Q?Gr=FC=DFe?= =?UTF-8?B?4oKs?=", "Grüße€"],
  ["=?UTF-8?B?%%%?= a =?nothing?Q?x?=", "=?UTF-8?B?%%%?= a =?nothing?Q?x?="],
  ["plain  text", "plain  text"],
])("the header field %j reads as %j", (value, text) => {
  expect(decodeWords(value)).toBe(text);
});
