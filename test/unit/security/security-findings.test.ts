import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const document = readFileSync("docs/security.md", "utf8");

/** The rows of the table under a heading, each as its cells. */
function rowsUnder(heading: string): string[][] {
  const [, section = ""] = document.split(`\n## ${heading}\n`);
  const [text = ""] = section.split("\n## ");
  const [, , ...rows] = text.split("\n").filter((line) => line.startsWith("|"));
  return rows.map((row) =>
    row
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim()),
  );
}

const numbered = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);

/** `test/unit/x.test.ts`: "part of a test's name" */
const namedTests = /`(test\/[\w./-]+\.test\.ts)`: "([^"]+)"/g;

const findings = rowsUnder("What the review of November 2026 found");
const requirements = rowsUnder("OWASP ASVS 5, level 2");

test("every finding of the review has what was done, and a test of that name or a reason", () => {
  const ids = findings.map(([id = ""]) => id.split(" ")[0]);
  // D: sign-in against the real auth server, and its small ones. S: security. L: its low ones.
  expect(ids).toEqual([...numbered("D", 16), ...numbered("S", 14), ...numbered("L", 16)]);
  for (const [finding = "", done = "", evidence = "", ...rest] of findings) {
    expect.soft(rest, finding).toEqual([]);
    expect.soft(done.length, finding).toBeGreaterThan(20);
    const tests = [...evidence.matchAll(namedTests)];
    const stays = done.startsWith("Stays: ");
    expect.soft(tests.length > 0 || stays, `a test of: ${finding}`).toBe(true);
    for (const [, file = "", name = ""] of tests) {
      expect.soft(existsSync(file), file).toBe(true);
      if (existsSync(file)) expect.soft(readFileSync(file, "utf8"), file).toContain(name);
    }
  }
});

/** Of each section of ASVS 5.0.0, the numbers of the requirements of levels 1 and 2. */
const levelTwo: Readonly<Record<string, string>> = {
  "1.1": "1-2",
  "1.2": "1-9",
  "1.3": "1-11",
  "1.4": "1-3",
  "1.5": "1-2",
  "2.1": "1-3",
  "2.2": "1-3",
  "2.3": "1-4",
  "2.4": "1",
  "3.2": "1-2",
  "3.3": "1-4",
  "3.4": "1-6",
  "3.5": "1-5",
  "3.7": "1-2",
  "4.1": "1-3",
  "4.2": "1",
  "4.3": "1-2",
  "4.4": "1-4",
  "5.1": "1",
  "5.2": "1-3",
  "5.3": "1-2",
  "5.4": "1-3",
  "6.1": "1-3",
  "6.2": "1-12",
  "6.3": "1-4",
  "6.4": "1-4",
  "6.5": "1-5",
  "6.6": "1-3",
  "6.8": "1-4",
  "7.1": "1-3",
  "7.2": "1-4",
  "7.3": "1-2",
  "7.4": "1-5",
  "7.5": "1-2",
  "7.6": "1-2",
  "8.1": "1-2",
  "8.2": "1-3",
  "8.3": "1",
  "8.4": "1",
  "9.1": "1-3",
  "9.2": "1-4",
  "10.1": "1-2",
  "10.2": "1-2",
  "10.3": "1-4",
  "10.4": "1-11",
  "10.5": "1-5",
  "10.6": "1-2",
  "10.7": "1-3",
  "11.1": "1-2",
  "11.2": "1-3",
  "11.3": "1-3",
  "11.4": "1-4",
  "11.5": "1",
  "11.6": "1",
  "12.1": "1-3",
  "12.2": "1-2",
  "12.3": "1-4",
  "13.1": "1",
  "13.2": "1-5",
  "13.3": "1-2",
  "13.4": "1-5",
  "14.1": "1-2",
  "14.2": "1-4",
  "14.3": "1-3",
  "15.1": "1-3",
  "15.2": "1-3",
  "15.3": "1-7",
  "16.1": "1",
  "16.2": "1-5",
  "16.3": "1-4",
  "16.4": "1-3",
  "16.5": "1-3",
  "17.1": "1",
  "17.2": "1-4",
  "17.3": "1-2",
};

const allRequirements = Object.entries(levelTwo).flatMap(([section, numbers]) => {
  const [first = 1, last = first] = numbers.split("-").map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => `V${section}.${first + index}`);
});

test("no regular expression is made of what somebody sent", () => {
  const making = globSync("{app,workers}/**/*.{ts,tsx}").filter((file) =>
    /\bRegExp\(/.test(readFileSync(file, "utf8")),
  );
  // Constants of ours, and our own route paths.
  expect(making.toSorted()).toEqual([
    "app/features/audit/mask.ts",
    "app/features/google/mail/mailboxes.ts",
    "app/features/servers/notifications/webhook-secret.ts",
    "workers/page-cache/cacheable-paths.ts",
  ]);
});

test("every requirement of ASVS 5 level 2 has one row", () => {
  expect(allRequirements).toHaveLength(253);
  const documented = requirements.flatMap(([cell = ""]) => cell.match(/V\d+\.\d+\.\d+/g) ?? []);
  expect(documented.toSorted()).toEqual(allRequirements.toSorted());
});

test("each row names tests that exist, or says who meets it or why nobody does", () => {
  const reasons = /^(?:Does not apply(?: to|:)|Not met|Cloudflare:|Supabase:)/;
  for (const [requirement = "", how = "", evidence = "", ...rest] of requirements) {
    expect.soft(rest, requirement).toEqual([]);
    expect.soft(how.length, requirement).toBeGreaterThan(3);
    const files = [...evidence.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    expect
      .soft(
        files.filter((file) => !existsSync(file)),
        requirement,
      )
      .toEqual([]);
    const hasTest = files.some((file) => /^test\/.+\.test\.ts$/.test(file));
    const documented = /^Documented: `docs\//.test(evidence);
    expect.soft(hasTest || documented || reasons.test(how), requirement).toBe(true);
    if (how.startsWith("Not met")) expect.soft(how.length, requirement).toBeGreaterThan(80);
  }
});
