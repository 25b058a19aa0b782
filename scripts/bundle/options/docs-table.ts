import { leavesOf } from "./leaves.ts";
import { optionDocs, optionsSchema } from "./schema.ts";

/** The documentation's table of options: a line for each value of a closed list, one for every other answer. */
function docsTable(): string {
  const leaves = leavesOf(optionsSchema());
  const rows = Object.entries(optionDocs).flatMap(([path, docs]) => {
    const leaf = leaves.get(path);
    if (typeof docs === "string") return leaf ? [row(path, leaf.form, docs)] : [];
    return docs.values.map(([value, effect]) =>
      row(path, value.includes(" ") ? value : `\`${value}\``, effect),
    );
  });
  return ["| Option | Value | Effect |", "|---|---|---|", ...rows, ""].join("\n");
}

function row(path: string, value: string, effect: string): string {
  return `| \`${path}\` | ${value} | ${effect} |`;
}

/** A page with its table of options as it is today. */
export function withDocsTable(page: string): string {
  return page.replace(/\| Option \| Value \| Effect \|\n(?:\|.*\n)+/, () => docsTable());
}
