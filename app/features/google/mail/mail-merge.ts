import { readMailbox } from "./mailboxes.ts";
import type { MergeTable } from "./merge-table.ts";

export type MergeTemplate = { to: string; subject: string; body: string };

/** One message of a merge, or why its row makes none. Row 1 is the first below the names of the columns. */
export type MergeMessage =
  | { row: number; ok: true; to: string; address: string; subject: string; body: string }
  | { row: number; ok: false; to: string; problem: string };

const placeholder = /\{\{([^{}]*)\}\}/g;

/** The columns that a template names and a table does not have. */
export function unknownColumns(template: MergeTemplate, { columns }: MergeTable): string[] {
  const named = Object.values(template).flatMap((text) =>
    [...text.matchAll(placeholder)].map(([, name = ""]) => name.trim()),
  );
  return [...new Set(named)].filter((name) => !columns.includes(name));
}

/**
 * The message of every row. A row that lacks a value which the template uses makes none, nor does one
 * whose address an earlier row has: nobody gets the same message twice.
 */
export function mergeMessages(template: MergeTemplate, table: MergeTable): MergeMessage[] {
  const rowOf = new Map<string, number>();
  return table.rows.map((cells, index) => {
    const row = index + 1;
    const values = new Map(table.columns.map((name, at) => [name, (cells[at] ?? "").trim()]));
    const missing = new Set<string>();
    const fill = (text: string) =>
      text.replace(placeholder, (_, written: string) => {
        const name = written.trim();
        const value = values.get(name) ?? "";
        if (value === "") missing.add(name);
        return value;
      });
    const to = fill(template.to);
    const subject = fill(template.subject);
    const body = fill(template.body);
    const problem = (words: string) => ({ row, ok: false, to, problem: words }) as const;
    if (missing.size > 0) {
      const names = [...missing].map((name) => `{{${name}}}`).join(", ");
      return problem(`No value for ${names}.`);
    }
    if (/\p{Cc}/u.test(subject)) return problem("The subject must be on one line.");
    const read = readMailbox(to);
    if (!read.ok) return problem(read.message);
    const address = read.mailboxes[0]?.address.toLowerCase() ?? "";
    const earlier = rowOf.get(address);
    if (earlier) return problem(`Row ${earlier} has the same address.`);
    rowOf.set(address, row);
    return { row, ok: true, to, address, subject, body };
  });
}
