import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const primitives = "app/ui/primitives/";
const screens = globSync("app/**/*.{ts,tsx}")
  .filter((file) => !file.startsWith(primitives))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

/** What only the primitive itself may say, on the elements of a screen. */
const looks = [
  { look: "a card", primitive: "Card", said: /\brounded-lg border\b/ },
  { look: "a badge", primitive: "Badge", said: /\brounded-sm\b[^"`]*\bpx-/ },
  { look: "a table", primitive: "Table", said: /<table\b(?! role="presentation")/ },
  { look: "a link in text", primitive: "TextLink", said: /["` ]underline["` ]/ },
  { look: "a place that scrolls", primitive: "ScrollRegion", said: /\btabIndex: 0\b/ },
  {
    look: "a field",
    primitive: "TextField",
    said: /\bblock\b[^"`]*\bborder-line-strong\b[^"`]*\bpx-3\.5\b/,
  },
];

test.each(looks)("no screen draws $look by hand, but with $primitive", ({ said }) => {
  const byHand = screens.filter(({ text }) => said.test(text)).map(({ file }) => file);
  expect(byHand).toEqual([]);
});
