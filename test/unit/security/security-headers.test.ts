import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { exchangeNonceForHashes } from "../../../workers/headers/security-headers.ts";

const nonce = "3f0c2d7e";

function hashOf(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

test("an inline script that we rendered is allowed by its hash, byte for byte", async () => {
  const script = '\n  const text = "ü < 1 && </ script>";\n';
  const page = `<head><script nonce="${nonce}">${script}</script></head>`;
  const { html, hashes } = await exchangeNonceForHashes(page, nonce);
  expect(hashes).toEqual([hashOf(script)]);
  expect(html).toBe(`<head><script>${script}</script></head>`);
});

test("a script that somebody smuggled in gets no hash, whatever it claims", async () => {
  const page = [
    "<script>steal()</script>",
    '<script nonce="">steal()</script>',
    '<script nonce="guessed">steal()</script>',
    `<p data-nonce="${nonce}"></p><script>steal()</script>`,
  ].join("");
  expect((await exchangeNonceForHashes(page, nonce)).hashes).toEqual([]);
});

test("a script from a file needs no hash, and the same script twice is one", async () => {
  const page = [
    `<script nonce="${nonce}" src="/assets/a.js"></script>`,
    `<script type="module" nonce="${nonce}">same()</script>`,
    `<script nonce="${nonce}">same()</script>`,
  ].join("");
  const { html, hashes } = await exchangeNonceForHashes(page, nonce);
  expect(hashes).toEqual([hashOf("same()")]);
  expect(html).not.toContain(nonce);
});
