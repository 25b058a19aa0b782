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

const decisions = globSync("docs/decisions/0*.md");

test("the decisions' table of contents has each one's status, and a page that supersedes another says so", () => {
  const contents = readFileSync("docs/decisions/README.md", "utf8");
  const rows = [...contents.matchAll(/^\| \[\d{4}\]\(([\w-]+\.md)\).*\| ([^|]*) \|$/gm)];
  expect(rows).toHaveLength(decisions.length);
  for (const [row, file = "", status = ""] of rows) {
    expect(status, row).toMatch(/^(accepted|(partly )?superseded by \[\d{4}\].*)$/);
    expect(readFileSync(`docs/decisions/${file}`, "utf8")).toContain(`\n\nStatus: ${status}\n\n`);
    for (const [, later = ""] of status.matchAll(/\(([\w-]+\.md)\)/g)) {
      expect(readFileSync(`docs/decisions/${later}`, "utf8"), row).toMatch(
        new RegExp(`[Rr]eplaces [^.]*${file.slice(0, 4)}`),
      );
    }
  }
});

/** That the paths of the last part are there, links and code of all documents are tested for. */
const headAndHeld =
  /^# .+\n\nDate: \d{4}-\d\d-\d\d\n\nStatus: .+\n\n[\s\S]*\n\n\*\*Held by:\*\*[ \n](?:.+\n)+$/;

test.each(decisions)("%s has a date, a status and the tests that hold it", (file) => {
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(headAndHeld);
  expect(text.split(/\*\*Held by:\*\*\s/).at(-1)).toMatch(
    /\(\.\.\/\.\.\/test\/|`test\/|^nothing that runs, because /,
  );
});

/** Tables and code cannot be broken. A row of a table has its sentences beside each other, and is longer. */
test.each(documents.filter((file) => !file.startsWith(".github/")))(
  "no line of %s is longer than 120 characters, no row of a table than 900",
  (document) => {
    const lines = readFileSync(document, "utf8")
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, "")
      .split("\n");
    const isTooLong = (line: string) => line.length > (line.startsWith("|") ? 900 : 120);
    expect(lines.filter(isTooLong)).toEqual([]);
  },
);
