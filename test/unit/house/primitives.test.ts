import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const primitives = "app/ui/primitives/";
const screens = globSync("app/**/*.{ts,tsx}")
  .filter((file) => !file.startsWith(primitives))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

/** How an element looks for which there is a component in app/ui/primitives: screens use that instead. */
const drawings = [
  { drawing: "a card", primitive: "Card", pattern: /\brounded-lg border\b/ },
  { drawing: "a badge", primitive: "Badge", pattern: /\brounded-sm\b[^"`]*\bpx-/ },
  { drawing: "a table", primitive: "Table", pattern: /<table\b(?! role="presentation")/ },
  { drawing: "a link in text", primitive: "TextLink", pattern: /["` ]underline["` ]/ },
  { drawing: "a place that scrolls", primitive: "ScrollRegion", pattern: /\btabIndex: 0\b/ },
  {
    drawing: "a field",
    primitive: "TextField",
    pattern: /\bblock\b[^"`]*\bborder-line-strong\b[^"`]*\bpx-3\.5\b/,
  },
];

test.each(drawings)("no screen draws $drawing by hand, but with $primitive", ({ pattern }) => {
  const byHand = screens.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  expect(byHand).toEqual([]);
});
