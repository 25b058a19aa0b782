import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const documents = globSync(["*.md", "docs/**/*.md"]);
const scripts: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts;

test.each(documents)("what %s points at is there", (document) => {
  const text = readFileSync(document, "utf8");
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = ""]) =>
    normalize(join(dirname(document), target)),
  );
  const folders = "app|workers|local|deploy|supabase|test|docs|public|\\.github";
  const paths = [...text.matchAll(new RegExp(`\`((?:${folders})/[\\w./*-]+)`, "g"))].map(
    ([, path = ""]) => path,
  );
  const missing = [...links, ...paths].filter((path) =>
    path.includes("*") ? globSync(path).length === 0 : !existsSync(path),
  );
  expect(missing).toEqual([]);
});

test.each(documents)("the commands in %s exist", (document) => {
  const text = readFileSync(document, "utf8");
  const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
});

test("the decisions' table of contents names each of them", () => {
  const contents = readFileSync("docs/decisions/README.md", "utf8");
  for (const file of globSync("docs/decisions/0*.md")) {
    const [title = ""] = readFileSync(file, "utf8").split("\n");
    const [, number, words] = /^# (\d{4}): (.+)$/.exec(title) ?? [];
    expect(file).toContain(`${number}-`);
    expect(contents).toContain(words);
  }
});
