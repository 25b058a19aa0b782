import type { RequestScope } from "~/features/auth/session/session.server";
import { roleMay } from "~/features/workspaces/roles";
import type { OpenWorkspace } from "~/features/workspaces/workspace.server";
import { fill } from "../fill";
import { workspaceWords } from "../workspace-words.server";
import { auditLine } from "./audit-line.server";
import { readAuditLog } from "./audit-log.server";

const pageSize = 50;

export type AuditView = Awaited<ReturnType<typeof auditView>>;

/** What the page of the audit log shows. `lines` is undefined where they cannot be read, or not by this role. */
export async function auditView(
  { context, session }: RequestScope,
  workspace: OpenWorkspace,
  before: number | undefined,
) {
  const mayRead = roleMay(workspace.role, "audit");
  const [words, page] = await Promise.all([
    workspaceWords(context),
    mayRead ? readAuditLog(session, workspace, { before, size: pageSize }) : undefined,
  ]);
  const { actions: _, fields: __, ...labels } = words.audit;
  return {
    labels: { ...labels, intro: fill(labels.intro, { workspace: workspace.name }) },
    base: workspace.base,
    isUnreadable: mayRead && !page,
    isNewest: before === undefined,
    lines: page?.rows.map((row) => auditLine(row, words)),
    older: page?.hasOlder ? page.rows.at(-1)?.id : undefined,
  };
}
