import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The cells of the tables of docs/tests.md below a heading, and above the next of its kind. */
function rowsBelow(heading: string): string[][] {
  const [, after = ""] = readFileSync("docs/tests.md", "utf8").split(`## ${heading}\n`);
  const [section = ""] = after.split(/^## /m);
  return section
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.includes("`npm test`"))
    .map((line) => line.split("|").slice(1, -1));
}

const namesIn = (cell = "") => [...cell.matchAll(/`([\w/-]+)`/g)].map(([, name = ""]) => name);

test("docs/tests.md names every journey, and no other", () => {
  const named = rowsBelow("The journeys").flatMap(([, cell]) => namesIn(cell));
  const files = globSync("test/journeys/**/*.test.ts").map((file) => file.slice(14, -8));
  expect(named.toSorted()).toEqual(files.toSorted());
});

const rows = rowsBelow("What else only a browser shows");

test("it names every file of the proof that opens a browser, and no other", () => {
  const files = globSync("test/proof/**/*.test.ts").filter((file) =>
    readFileSync(file, "utf8").includes("openPage("),
  );
  const named = rows.flatMap(([cell]) => namesIn(cell));
  expect(named.toSorted()).toEqual(files.map((file) => file.slice(11, -8)).toSorted());
});

test("beside each it names tests of npm test, which are there, or says that it is about layout", () => {
  for (const [file, what, cell] of rows) {
    const names = namesIn(cell);
    expect(names.length > 0 || what?.includes("*layout*"), file).toBe(true);
    const missing = names.filter((name) => {
      const path = /^(unit|machine|journeys)\//.test(name) ? name : `integration/${name}`;
      return !["ts", "tsx"].some((kind) => existsSync(`test/${path}.test.${kind}`));
    });
    expect(missing, file).toEqual([]);
  }
});
