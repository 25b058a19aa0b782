import { structuredPatch } from "diff/lib/patch/create.js";

type Files = readonly { path: string; content: string }[];

/** One line of a hunk; `at` is its place in the hunk, counted from 0. */
export type Line = { at: number; kind: "kept" | "added" | "removed"; text: string };

/** Lines that stand together; `before` and `after` are where they begin, counted from 1. */
export type Hunk = { before: number; after: number; lines: Line[] };

export type FileChange = {
  path: string;
  kind: "added" | "removed" | "changed";
  added: number;
  removed: number;
  hunks: Hunk[];
};

const context = 3;
const kinds = { "+": "added", "-": "removed", " ": "kept" } as const;

/** What differs between two bundles, by file, in the order of the newer one. Equal files are left out. */
export function changesBetween(before: Files, after: Files): FileChange[] {
  const paths = new Set([...after, ...before].map(({ path }) => path));
  return [...paths].flatMap((path) => {
    const old = before.find((file) => file.path === path)?.content;
    const now = after.find((file) => file.path === path)?.content;
    if (old === now) return [];
    const { hunks } = structuredPatch(path, path, old ?? "", now ?? "", undefined, undefined, {
      context,
    });
    const sections = hunks.map(({ oldStart, newStart, lines }) => ({
      before: oldStart,
      after: newStart,
      lines: lines.flatMap(readLine),
    }));
    const count = (kind: Line["kind"]) =>
      sections.reduce(
        (sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length,
        0,
      );
    const kind = old === undefined ? "added" : now === undefined ? "removed" : "changed";
    return [{ path, kind, added: count("added"), removed: count("removed"), hunks: sections }];
  });
}

/** Reads the sign before a line. The patch's note about a missing newline at the end never occurs: every file ends with one. */
function readLine(line: string, at: number): Line[] {
  const sign = line[0];
  if (sign !== "+" && sign !== "-" && sign !== " ") return [];
  return [{ at, kind: kinds[sign], text: line.slice(1) }];
}
