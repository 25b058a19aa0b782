import { expect, test } from "vitest";
import { pageText, samplesOf } from "../../support/documentation/samples.ts";
import { verifiedNames } from "../../support/documentation/verified-names.ts";

/** The words of code, without its comments and the texts in it. */
function wordsOf(code: string, comment: string): string[] {
  const bare = code
    .replaceAll(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, '""')
    .replaceAll(new RegExp(`${comment}.*`, "g"), "");
  return [...new Set(bare.match(/[A-Za-z_][A-Za-z0-9_]*/g))].sort();
}

const split = (words: string) => words.trim().split(/\s+/);

test.each(verifiedNames)(
  "the $language sample of $page has no name that is not in the list of those looked up",
  ({ page, language, names, others }) => {
    const code = samplesOf(page)
      .filter((sample) => sample.language === language)
      .map((sample) => sample.code)
      .join("\n");
    const words = [...split(names), ...split(others)].sort();
    expect(wordsOf(code, language === "ruby" ? "# " : "//")).toEqual(words);
  },
);

test.each(verifiedNames)(
  "$page says of its $language sample which package in which version it is for",
  ({ page, package: name, version, source }) => {
    const text = pageText(page);
    expect(text).toContain(name);
    expect(text).toContain(version);
    const [repository = "", tag = ""] = source.split(" ");
    const checked = `Checked with ${repository.split("/")[1]} ${tag}`;
    if (page.startsWith("connect-")) expect(text).toContain(checked);
    expect(text).toMatch(/^Checked with .*\.$/m);
  },
);
