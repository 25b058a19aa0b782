import { type MergeTemplate, mergeMessages } from "./mail-merge.ts";
import { readMailbox } from "./mailboxes.ts";
import type { MergeProgress, RowState } from "./merge-run.ts";
import { readTable, writeTable } from "./merge-table.ts";

export type MergeRest = {
  /** The table without the rows whose receiver has the message, or may have it. */
  table: string;
  /** The receivers whose message may or may not have left: no answer came when it was sent. */
  unsure: readonly string[];
};

/** What a merge that was given up did not send; undefined when every message was sent. */
export function restOfMerge(
  template: MergeTemplate,
  text: string,
  { rowStates }: MergeProgress,
): MergeRest | undefined {
  const table = readTable(text);
  if ("problem" in table) return;
  const messages = mergeMessages(template, table);
  if (messages.every(({ row, ok }) => !ok || rowStates[row]?.state === "sent")) return;
  const begun = messages.filter(({ row }) => isBegun(rowStates[row]));
  const reached = new Set(begun.map(({ to }) => addressIn(to)));
  const rows = table.rows.filter((_, at) => !reached.has(addressIn(messages[at]?.to ?? "")));
  const unsure = begun.filter(({ row }) => rowStates[row]?.state === "sending");
  return {
    table: writeTable(text, table.columns, rows),
    unsure: unsure.map(({ to }) => to),
  };
}

function isBegun(rowState: RowState | undefined): boolean {
  return rowState?.state === "sent" || rowState?.state === "sending";
}

/** Compared by address: a second row with the same address belongs to the same receiver. */
function addressIn(to: string): string | undefined {
  const read = readMailbox(to);
  return read.ok ? read.mailboxes[0]?.address.toLowerCase() : undefined;
}
