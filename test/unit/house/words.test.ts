import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Words that this project no longer uses. Whoever retires one adds it here and to docs/glossary.md. */
const retired = [
  "RequestContext",
  "requestContext",
  "asking.asked",
  "impatientFetch",
  "fetchWhileHope",
  "atEvenPace",
  "bothWays",
  "takesIn",
  "claimForSure",
  "arriveFromCheckout",
  "identifyForWriting",
  "identifyForSure",
  "wayToPlan",
  "wayToMore",
  "waysToClose",
  "typedMessage",
  "kvPatience",
  "patienceMs",
  "WayOn",
  "signInMethod",
  "stand-in",
  "standIn",
  "lookAtAll",
  "lookDue",
  "OurOutage",
  "isOurFault",
  "ToldIncident",
  "Nudge",
  "lastingPause",
  "repaused",
  "keptToMembers",
  "keepsWhatWasRead",
];

/**
 * Where a retired word must stand: the lists of them, and what was published and cannot be changed: a
 * migration that databases have applied, the code of a former version, and what others wrote.
 */
const allowed =
  /^(docs\/glossary\.md|CONTRIBUTING\.md|test\/unit\/house\/words\.test\.ts|test\/support\/deploy\/former-build\.ts|package-lock\.json|supabase\/migrations\/.*)$/;

const lines = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && !allowed.test(file) && !/\.(png|ico|woff2?|pdf|dat)$/.test(file))
  .flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .map((line, index) => ({ place: `${file}:${index + 1}`, line })),
  );

/** As a name or a part of one: `standIns` and `startStandIn` count, `standing` does not. */
function patternOf(word: string): RegExp {
  const escaped = word.replaceAll(".", "\\.");
  const insideNames =
    word[0] === word[0]?.toLowerCase() ? `[${word[0]}${word[0]?.toUpperCase()}]` : word[0];
  return new RegExp(`${insideNames}${escaped.slice(1)}(?!g)`);
}

test.each(retired)("nobody says %s any more", (word) => {
  const pattern = patternOf(word);
  const found = lines.filter(({ line }) => pattern.test(line));
  expect(found).toEqual([]);
});

test("the glossary says what is said instead of each retired word", () => {
  const glossary = readFileSync("docs/glossary.md", "utf8");
  const [, section = ""] = glossary.split("\n## Retired words\n");
  for (const word of retired) expect(section).toContain(word);
});

test("the glossary has each word once", () => {
  const glossary = readFileSync("docs/glossary.md", "utf8").split("\n## Retired words\n")[0] ?? "";
  const words = [...glossary.matchAll(/^\| ([^|]+?) \|/gm)]
    .map(([, word = ""]) => word)
    .filter((word) => !/^(Word|-+)$/.test(word));
  expect(words.length).toBeGreaterThan(50);
  expect(words.filter((word, place) => words.indexOf(word) !== place)).toEqual([]);
});
