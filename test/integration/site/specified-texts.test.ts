import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { siteUrl } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import {
  specifiedAnswers,
  specifiedClientErrors,
  specifiedTexts,
} from "../../support/site/specified-texts.ts";

const lower = (text: string) => text.toLowerCase().replaceAll(/\s+/g, " ");

test.each(Object.entries(specifiedTexts))("%s has its specified words", async (path, texts) => {
  const html = await (await fetch(siteUrl + path)).text();
  const words = lower(textOfHtml(html));
  expect(texts.filter((text) => !words.includes(lower(text)))).toEqual([]);
});

test.each([
  ["answer is in the product", "app/**/*.{ts,tsx,json}", specifiedAnswers],
  [
    "error is in its client",
    "node_modules/@supabase/auth-js/dist/main/**/*.js",
    specifiedClientErrors,
  ],
] as const)("every specified %s", (_, files, texts) => {
  const sources = globSync(files).map((file) => readFileSync(file, "utf8"));
  expect(texts.filter((text) => !sources.some((each) => each.includes(text)))).toEqual([]);
});
