import type { RequestScope } from "~/features/auth/session/session.server";
import type { OpenWorkspace } from "~/features/workspaces/workspace.server";
import { csvOf } from "~/http/encodings/csv";
import { fill } from "../fill";
import { workspaceWords } from "../workspace-words.server";
import { type AuditLine, auditLine } from "./audit-line.server";
import { type AuditRow, readAuditLog } from "./audit-log.server";

/** As many as the database answers at once. */
const pageSize = 1_000;
const maxPages = 20;

const columns = ["at", "who", "what", "action", "target", "before", "after", "network"] as const;

/**
 * The audit log as CSV, newest first. Where it has more lines than one file, the last one says at which address those
 * are that follow. Undefined where it cannot be read: a file that lacks lines must not look whole.
 */
export async function auditCsv(
  { context, session }: RequestScope,
  workspace: OpenWorkspace,
  from: number | undefined,
): Promise<string | undefined> {
  const words = await workspaceWords(context);
  const lines: (readonly string[])[] = [columns];
  let before = from;
  for (let page = 0; page < maxPages; page += 1) {
    const read = await readAuditLog(session, workspace, { before, size: pageSize });
    if (!read) return;
    for (const row of read.rows) lines.push(cellsOf(row, auditLine(row, words)));
    if (!read.hasOlder) return csvOf(lines);
    before = read.rows.at(-1)?.id;
  }
  const address = `${context.configuration.SITE_URL}${workspace.base}/audit.csv?before=${before}`;
  return csvOf([...lines, ["", "", fill(words.audit.rest, { address }), "", "", "", "", ""]]);
}

function cellsOf(
  { action, target, before, after, network }: AuditRow,
  { at, who, what }: AuditLine,
): readonly string[] {
  return [at, who, what, action, target, jsonOf(before), jsonOf(after), network];
}

function jsonOf(stored: AuditRow["before"]): string {
  return stored === null ? "" : JSON.stringify(stored);
}
