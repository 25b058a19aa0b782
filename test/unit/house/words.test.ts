import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { parseSync } from "vite";
import { expect, test } from "vitest";

/** Words that this project no longer uses. A change that retires one adds it here and to docs/glossary.md. */
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
  "AskedOfAuth",
  "toldByStripe",
  "knownCustomersOf",
  "presentAccount",
  "longestOwnForm",
  "takeTry",
  "TryLimit",
  "giveTriesBack",
];

/**
 * Where a retired word must stand: the lists of them, and what was published and cannot be changed: a
 * migration that databases have applied, the code of a former version, and what others wrote.
 */
const allowed =
  /^(docs\/glossary\.md|CONTRIBUTING\.md|test\/unit\/house\/words\.test\.ts|test\/support\/deploy\/former-build\.ts|package-lock\.json|supabase\/migrations\/.*)$/;

const lines = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .split("\n")
  .filter(
    (file) =>
      file !== "" && !allowed.test(file) && !/\.(png|avif|webp|ico|woff2?|pdf|dat)$/.test(file),
  )
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

/** Everyday verbs and participles that once stood for a noun. Fields may have them: they are stored or sent. */
const everyday = /^([Tt]old|[Kk]ept|[Aa]sked|[Oo]wn)(?![a-z])|^(most|longest)(?=[A-Z])/;

type Node = { type: string; [field: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;

/** The names that a pattern, such as a parameter, binds. */
function namesBoundBy(pattern: unknown): string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(namesBoundBy);
  if (!isNode(pattern)) return [];
  if (pattern.type === "Identifier") return [String(pattern.name)];
  const { properties, elements, value, left, argument, parameter } = pattern;
  return [properties, elements, value, left, argument, parameter].flatMap(namesBoundBy);
}

/** The names of variables, parameters, functions, classes and types that a syntax tree declares. */
function declaredNames(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(declaredNames);
  if (!isNode(node)) return [];
  const isDeclaration = /Declarator$|Declaration$|^FunctionExpression$/.test(node.type);
  return [
    ...(isDeclaration ? namesBoundBy(node.id) : []),
    ...(/Function/.test(node.type) ? namesBoundBy(node.params) : []),
    ...Object.values(node).flatMap(declaredNames),
  ];
}

test("no variable, parameter, function or type is named told, kept, asked, own, most or longest", () => {
  const files = globSync("{app,workers,fakes,scripts,test}/**/*.{ts,tsx}").filter(
    (file) => !file.endsWith(".d.ts"),
  );
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    // Only a file that has one of the words somewhere needs to be parsed.
    if (!/\b([Tt]old|[Kk]ept|[Aa]sked|[Oo]wn|most[A-Z]|longest[A-Z])/.test(text)) return [];
    const { program } = parseSync(file, text);
    return declaredNames(program)
      .filter((name) => everyday.test(name))
      .map((name) => [file, name]);
  });
  expect(found).toEqual([]);
});

test("the glossary has each word once", () => {
  const glossary = readFileSync("docs/glossary.md", "utf8").split("\n## Retired words\n")[0] ?? "";
  const words = [...glossary.matchAll(/^\| ([^|]+?) \|/gm)]
    .map(([, word = ""]) => word)
    .filter((word) => !/^(Word|-+)$/.test(word));
  expect(words.length).toBeGreaterThan(50);
  expect(words.filter((word, place) => words.indexOf(word) !== place)).toEqual([]);
});
