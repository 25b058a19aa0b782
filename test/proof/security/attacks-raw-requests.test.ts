import { expect, test } from "vitest";
import { exchange, send } from "../../support/attacks/raw-http.ts";
import { siteUrl } from "../../support/site/own-site.ts";

const { host } = new URL(siteUrl);
const lines = (...each: string[]) => `${each.join("\r\n")}\r\n\r\n`;
/** What an attacker hides in a body: its answer would show that it was taken for a request. */
const hidden = lines("GET /robots.txt HTTP/1.1", `Host: ${host}`, "X-Hidden: 1");
const hiddenAnswer = "User-agent:";
const post = (...headers: string[]) => [
  "POST /contact HTTP/1.1",
  `Host: ${host}`,
  `Origin: ${siteUrl}`,
  ...headers,
];

/** The local server takes it for a body that goes on, and waits as for any slow one. */
const goesOn = "a chunk without its end";

/** Read by its chunks it is one request; read by a length of four bytes it is two. */
const inChunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
/** By RFC 9112, 6.3, chunks count where both are said: what follows the last one is a request. */
const endsBefore = "both, and a length that reaches too far";

/** Requests that two readers may cut at different places. */
const ambiguous: [what: string, bytes: string][] = [
  ["both lengths", lines(...post("Content-Length: 4", "Transfer-Encoding: chunked")) + inChunk],
  [
    endsBefore,
    lines(...post("Transfer-Encoding: chunked", `Content-Length: ${hidden.length + 5}`)) +
      `0\r\n\r\n${hidden}`,
  ],
  ["two lengths", lines(...post("Content-Length: 0", `Content-Length: ${hidden.length}`)) + hidden],
  ["a list of lengths", lines(...post(`Content-Length: 0, ${hidden.length}`)) + hidden],
  ["a length with a sign", lines(...post(`Content-Length: +0`)) + hidden],
  ["a length below nothing", lines(...post("Content-Length: -1")) + hidden],
  ["a length in hexadecimal", lines(...post("Content-Length: 0x0")) + hidden],
  ["an unknown coding", lines(...post("Transfer-Encoding: xchunked")) + hidden],
  ["two codings", `${lines(...post("Transfer-Encoding: chunked, identity"))}0\r\n\r\n${hidden}`],
  [
    "a space before the colon",
    `${lines(...post("Transfer-Encoding : chunked"))}0\r\n\r\n${hidden}`,
  ],
  ["a folded header", `${lines(...post("Transfer-Encoding:", " chunked"))}0\r\n\r\n${hidden}`],
  [
    "a tab in the coding",
    lines(...post("Transfer-Encoding:\tchunked\t", "Content-Length: 4")) + inChunk,
  ],
  [
    "a chunk's size that is no number",
    `${lines(...post("Transfer-Encoding: chunked"))}zz\r\n${hidden}`,
  ],
  ["a chunk's size with a sign", `${lines(...post("Transfer-Encoding: chunked"))}-1\r\n${hidden}`],
  [
    "a chunk's size beyond all numbers",
    `${lines(...post("Transfer-Encoding: chunked"))}fffffffffffffffff\r\n${hidden}`,
  ],
  [goesOn, `${lines(...post("Transfer-Encoding: chunked"))}1\r\nabc\r\n0\r\n\r\n${hidden}`],
  ["a header without a colon", lines(...post("Transfer-Encoding chunked")) + hidden],
  [
    "a bare line feed",
    `POST /contact HTTP/1.1\nHost: ${host}\nContent-Length: 0\nTransfer-Encoding:\n chunked\n\n0\r\n\r\n${hidden}`,
  ],
  ["a NUL in a header", lines(...post("X-A: a\u0000b", "Content-Length: 0")) + hidden],
];

const statusesOf = (came: string) =>
  [...came.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);

test.each(ambiguous)(
  "%s: refused with the connection, or read in the one way that is right",
  async (what, bytes) => {
    const waits = what === goesOn;
    const isAnswered = (came: string) => came.includes(hiddenAnswer);
    const bothAnswers = { quietMs: 10_000, enough: isAnswered };
    const timing = what === endsBefore ? bothAnswers : waits ? { timeoutMs: 1_500 } : {};
    const { came, closed } = await exchange(siteUrl, bytes, timing);
    if (!waits) expect(closed || came !== "", "answered or closed").toBe(true);
    const answers = came.split(/(?=HTTP\/1\.1 \d{3} )/).filter(Boolean);
    if (what === endsBefore && !closed) {
      expect(answers.length).toBe(2);
      expect(answers[1]).toContain(hiddenAnswer);
    } else {
      // Nothing at all, or one refusal, and the end: what was hidden is not answered.
      expect(answers.length).toBeLessThanOrEqual(1);
      expect(came).not.toContain(hiddenAnswer);
      expect(came).toMatch(/^$|^HTTP\/1\.1 [45]\d\d /);
      // workerd refuses some itself, in two words. Our own page of an error would be a fault.
      expect(came).not.toMatch(/^HTTP\/1\.1 5.*<html/s);
    }
    const next = await send(siteUrl, { method: "GET", target: "/healthz", headers: {} });
    expect([next.status, next.body]).toEqual([200, expect.stringContaining('"status":"ok"')]);
  },
);

test("requests that follow each other on one connection are answered one by one", async () => {
  const healthz = lines("GET /healthz HTTP/1.1", `Host: ${host}`);
  const chunked = `${lines(...post("Transfer-Encoding: chunked", "Content-Type: text/plain"))}3\r\nabc\r\n0\r\n\r\n`;
  const sized = `${lines(...post("Content-Length: 3", "Content-Type: text/plain"))}abc`;
  // Nobody reads the bodies of these two: a cached page's, and of a change that is refused.
  const paged = `${lines("GET /faq HTTP/1.1", `Host: ${host}`, "Content-Length: 3")}abc`;
  const refused = `${lines("POST /contact HTTP/1.1", `Host: ${host}`, "Content-Length: 3")}abc`;
  const bytes = healthz + chunked + sized + paged + refused + healthz;
  const { came } = await exchange(siteUrl, bytes, {
    quietMs: 10_000,
    enough: (came) => statusesOf(came).length === 6,
  });
  expect(statusesOf(came)).toEqual(["200", "400", "400", "200", "403", "200"]);
});

test("a cached page's request whose body is broken costs nobody an error", async () => {
  const bytes = `${lines("GET /faq HTTP/1.1", `Host: ${host}`, "Transfer-Encoding: chunked")}zz\r\n`;
  const { came } = await exchange(siteUrl, bytes);
  expect(came).toMatch(/^$|^HTTP\/1\.1 [24]\d\d /);
});

test("a body that never ends, and headers without measure, take nobody else's turn", async () => {
  const slow = exchange(siteUrl, `${lines(...post("Content-Length: 1000"))}abc`, {
    timeoutMs: 3_000,
  });
  const huge = exchange(siteUrl, lines(...post(`X-A: ${"a".repeat(300_000)}`)), {
    timeoutMs: 3_000,
  });
  const next = await send(siteUrl, { method: "GET", target: "/healthz", headers: {} });
  expect(next.status).toBe(200);
  expect((await slow).came).not.toMatch(/^HTTP\/1\.1 5/);
  expect((await huge).came).not.toMatch(/^HTTP\/1\.1 (?:2|5)/);
});
