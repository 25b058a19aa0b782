import { readFileSync } from "node:fs";

/** The cells of a table's rows, by the table's title, without Markdown's quotes. */
export function tableOf(page: string, title: string): string[][] {
  const [, after = ""] = readFileSync(`app/content/${page}.md`, "utf8").split(`\nTable: ${title}`);
  const [, rows = ""] = /\n\n((?:\|.*\n)+)/.exec(after) ?? [];
  return rows
    .trim()
    .split("\n")
    .slice(2)
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
}

/** `1,000` and `0, no limit` as numbers. */
export const numberOf = (cell = "") => Number(cell.replace(/, .*$/, "").replaceAll(",", ""));
