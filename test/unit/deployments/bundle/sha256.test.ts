import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sha256 } from "~/features/deployments/bundle/sha256.ts";

test("a text's hash is the one that sha256sum prints, at every length around a block and beyond ASCII", () => {
  const texts = [
    ...Array.from({ length: 130 }, (_, length) => "x".repeat(length)),
    "Zürich 你好 🎙\n",
    "line\n".repeat(30_000),
  ];
  for (const text of texts)
    expect(sha256(text), `${text.length}`).toBe(createHash("sha256").update(text).digest("hex"));
});
