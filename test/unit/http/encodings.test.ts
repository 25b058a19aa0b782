import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  escapeMarkup,
  fromBase64,
  fromBase64url,
  toBase64,
  toBase64url,
} from "../../../app/http/encodings.ts";
import { sha256, sha256Hex } from "../../../app/http/hashes.ts";

const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);

test("bytes are the same after base64 and base64url as before", () => {
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
  expect(toBase64url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
  expect(fromBase64(toBase64(bytes))).toEqual(bytes);
  expect(fromBase64url(toBase64url(bytes))).toEqual(bytes);
});

test("a SHA-256 is what Node says, whole or its first bytes", async () => {
  const hex = createHash("sha256").update("Zürich").digest("hex");
  expect(await sha256Hex("Zürich")).toBe(hex);
  expect(await sha256Hex("Zürich", 8)).toBe(hex.slice(0, 16));
  expect(Buffer.from(await sha256(bytes)).toString("hex")).toBe(
    createHash("sha256").update(bytes).digest("hex"),
  );
});

test("text in markup opens no element and ends no attribute", () => {
  expect(escapeMarkup(`<a href="x">&amp;</a>`)).toBe(
    "&lt;a href=&quot;x&quot;&gt;&amp;amp;&lt;/a&gt;",
  );
});

test("hashes, base64 and markup are made in app/http/encodings.ts and hashes.ts alone", () => {
  const offenders = globSync("{app,workers}/**/*.{ts,tsx}").filter(
    (file) =>
      !/^app\/http\/(encodings|hashes)\.ts$/.test(file) &&
      /digest\("SHA-256"|\bbtoa\(|function escape(?:Html|Xml)?\(/.test(readFileSync(file, "utf8")),
  );
  expect(offenders).toEqual([]);
});
