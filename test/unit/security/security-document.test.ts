import { existsSync, globSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";

const document = readFileSync("docs/security.md", "utf8");
const operations = readFileSync("docs/operations.md", "utf8");

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

const named = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
const threats = rowsUnder("Threats and answers");

test("each threat has a rule, a place and a test that exists", () => {
  expect(threats.length).toBeGreaterThan(35);
  for (const [threat = "", ...cells] of threats) {
    expect.soft(cells.length, threat).toBe(3);
    expect
      .soft(
        cells.filter((cell) => cell === ""),
        threat,
      )
      .toEqual([]);
    const tests = named(cells[2] ?? "").filter((path) => path.endsWith(".test.ts"));
    expect.soft(tests.length, `tests of: ${threat}`).toBeGreaterThan(0);
  }
});

test("every file and folder that the document names is there", () => {
  const paths = named(document).filter((name) =>
    /^(app|workers|fakes|scripts|supabase|test|public)\//.test(name),
  );
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test("every test of an attack belongs to a threat", () => {
  const documented = new Set(threats.flatMap((cells) => named(cells[3] ?? "")));
  const attacks = globSync(
    "test/integration/**/{attacks-*,fuzz,secrets,webhook-authenticity,own-data}.test.ts",
  );
  expect(attacks.length).toBeGreaterThan(10);
  expect(attacks.filter((file) => !documented.has(file))).toEqual([]);
});

test("every secret is among the keys, and operations say how to replace each", () => {
  const variables = Object.keys(parseEnv(readFileSync(".dev.vars.example", "utf8")));
  const secrets = variables.filter((name) => /SECRET|_KEY$|TOKEN|PASSWORD/.test(name));
  const keys = rowsUnder("Keys and what they may do").flatMap(([key = ""]) => named(key));
  expect(secrets.length).toBeGreaterThan(4);
  const notSecret = ["STRIPE_PUBLISHABLE_KEY", "TURNSTILE_SITE_KEY", "VAPID_PUBLIC_KEY"];
  expect(secrets.filter((name) => !keys.includes(name))).toEqual(notSecret);
  const names = keys.filter((name) => /^[A-Z_]+$/.test(name));
  expect(names.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
});
