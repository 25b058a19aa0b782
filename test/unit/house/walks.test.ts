import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";

const architecture = readFileSync("docs/architecture.md", "utf8");
const [, section = ""] = /\n## Six walks\n([\s\S]*?)\n## /.exec(architecture) ?? [];

/** Each walk: its title, and the lines of its diagram below the first. */
const walks = section
  .split("\n### ")
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf("\n")),
    hops: (/```mermaid\nflowchart TD\n([\s\S]*?)\n```/.exec(text)?.[1] ?? "").split("\n"),
  }));

/** The folders that the table names, the longest first: they are the rooms. */
const rooms = [...architecture.matchAll(/^\| (`[^|]+`) \|/gm)]
  .flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([\w./-]+\/)`/g)].map(([, folder = ""]) => folder),
  )
  .toSorted((a, b) => b.length - a.length);

const roomOf = (file: string) => rooms.find((room) => file.startsWith(room)) ?? `${dirname(file)}/`;

const filesIn = (line: string) => [...line.matchAll(/\["([^"]+)"\]/g)].map(([, file = ""]) => file);

test("six walks are documented", () => {
  expect(walks.map(({ title }) => title)).toEqual([
    "A price id, from the button to Stripe and back",
    "A session cookie, to the loader",
    "A public page, to KV and back",
    "An option, to a line of livekit.yaml",
    "A usage post, to the chart",
    "A report, from the machine to an incident to a mail",
  ]);
});

test.each(walks)("$title: there are eight files at most, in six rooms", ({ title, hops }) => {
  const files = hops.flatMap(filesIn);
  expect(files.length).toBeGreaterThan(7);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(files).size, title).toBeLessThanOrEqual(8);
  const visited = [...new Set(files.map(roomOf))];
  expect(visited.length, visited.join(", ")).toBeLessThanOrEqual(6);
});

test.each(walks)(
  "$title: each line of its diagram is one step, from where the walk has been",
  ({ hops }) => {
    const name = String.raw`(\w+)(?:\["[^"]+"\]|\(\[[^\]]+\]\))?`;
    const hop = new RegExp(`^ {2}${name} -- "[^"]+" --> ${name}$`);
    const been = new Set<string>();
    for (const [place, line] of hops.entries()) {
      const [, from = "", to = ""] = hop.exec(line) ?? [];
      expect(from, line).not.toBe("");
      if (place > 0) expect(been, line).toContain(from);
      been.add(from).add(to);
    }
  },
);

/** The function that a step names, `name()`, is in a file of that step or in one that it came from. */
test.each(walks)("$title: the functions that it names are in the files beside them", ({ hops }) => {
  const fileOf = new Map<string, string>();
  for (const line of hops) {
    for (const [, box = "", file = ""] of line.matchAll(/(\w+)\["([^"]+)"\]/g)) {
      fileOf.set(box, readFileSync(file, "utf8"));
    }
    const [, from = "", words = "", to = ""] =
      /^ {2}(\w+).*? -- "([^"]+)" --> (\w+)/.exec(line) ?? [];
    const texts = `${fileOf.get(from) ?? ""}\n${fileOf.get(to) ?? ""}`;
    for (const [, called = ""] of words.matchAll(/(\w+)\(/g)) expect(texts, line).toContain(called);
  }
});
