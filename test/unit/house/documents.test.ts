import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const documents = globSync(["*.md", "docs/**/*.md", ".github/*.md"]);
const scripts: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts;

/** What somebody may name who speaks of this repository; without what is made here and never committed. */
const topFolders = new Set(
  globSync(["*/", ".*/"], {
    exclude: ["node_modules", "build", ".git", ".local", ".wrangler"],
  }).map((folder) => folder.replace("/", "")),
);

test.each(documents)("what %s points at is there", (document) => {
  const text = readFileSync(document, "utf8");
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = ""]) =>
    normalize(join(dirname(document), target)),
  );
  const code = [...text.matchAll(/`([^`\s]+)`/g)].map(([, words = ""]) => words);
  const paths = code.filter((words) => topFolders.has(words.split("/", 1)[0] ?? ""));
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

/** The anchors that GitHub gives the headings of a document. */
function anchorsOf(document: string): string[] {
  const headings = readFileSync(document, "utf8").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, words = ""]) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test.each(documents)("links in %s lead to headings that there are", (document) => {
  const links = readFileSync(document, "utf8").matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g);
  const broken = [...links].filter(([, target = "", anchor = ""]) => {
    const file = target ? normalize(join(dirname(document), target)) : document;
    return !anchorsOf(file).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
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

test("each decision has a status, and a page that replaces part of another says so", () => {
  const contents = readFileSync("docs/decisions/README.md", "utf8");
  const rows = [...contents.matchAll(/^\| \[(\d{4})\].*\| ([^|]*) \|$/gm)];
  expect(rows).toHaveLength(globSync("docs/decisions/0*.md").length);
  for (const [row, number = "", status = ""] of rows) {
    expect(status, row).toMatch(/^(accepted|(partly:|replaced by) \[\d{4}\].*)$/);
    for (const [, later = ""] of status.matchAll(/\(([\w-]+\.md)\)/g)) {
      expect(readFileSync(`docs/decisions/${later}`, "utf8"), row).toMatch(
        new RegExp(`[Rr]eplaces [^.]*${number}`),
      );
    }
  }
});
