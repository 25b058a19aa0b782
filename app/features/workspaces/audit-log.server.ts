import * as z from "zod/mini";
import type { RequestScope, Session } from "~/features/auth/session/session.server";
import { csvOf } from "~/http/encodings";
import type { Role } from "~/platform/database/role-rights";
import { describeError, log } from "~/platform/log/log.server";
import { shortMomentOf } from "~/ui/dates";
import { noteAnswers } from "./answers.server";
import { fill } from "./fill";
import type { Workspace } from "./my-workspaces.server";
import { roleMay } from "./roles";
import type { OpenWorkspace } from "./workspace.server";
import { type WorkspaceWords, workspaceWords } from "./workspace-words.server";

const fields = z.nullable(z.union([z.record(z.string(), z.json()), z.string()]));
const rows = z.array(
  z.object({
    id: z.number(),
    at: z.string(),
    actor: z.nullable(z.string()),
    actor_address: z.string(),
    action: z.string(),
    target: z.string(),
    network: z.string(),
    before: fields,
    after: fields,
  }),
);
const columns = "id, at, actor, actor_address, action, target, network, before, after";

type AuditRow = z.infer<typeof rows>[number];
type AuditPage = { rows: AuditRow[]; hasOlder: boolean };

/** The line that an address names: the page shows what is older. Undefined for the newest. */
export function lineBefore({ url }: Request): number | undefined {
  const named = new URL(url).searchParams.get("before") ?? "";
  return /^[1-9]\d{0,14}$/.test(named) ? Number(named) : undefined;
}

/** So many lines of a workspace's log, newest first; of those that may not read it none. Undefined where it fails. */
async function readAuditLog(
  { supabase }: Session,
  { id }: Pick<Workspace, "id">,
  { before, size }: { before: number | undefined; size: number },
): Promise<AuditPage | undefined> {
  let query = supabase
    .from("audit_log")
    .select(columns)
    .eq("workspace_id", id)
    .order("id", { ascending: false })
    .limit(size);
  if (before !== undefined) query = query.lt("id", before);
  const { data, error } = await query;
  if (!error) return { rows: rows.parse(data), hasOlder: data.length === size };
  log.error("The audit log was not read", describeError(error));
}

/** A field that an act changed. What it was or what it became is undefined where the line has only the other. */
export type AuditChange = { field: string; before: string | undefined; after: string | undefined };

/** A line of the audit log in words. */
export type AuditLine = {
  id: number;
  at: string;
  who: string;
  what: string;
  changes: AuditChange[];
  network: string;
};

/** The database writes it in place of a secret and of a long text. */
const unkept = "…";

function auditLine(row: AuditRow, words: WorkspaceWords): AuditLine {
  const { id, at, actor, actor_address, action, target, network } = row;
  const { actions, gone, site } = words.audit;
  const says: string | undefined = actions[action as keyof typeof actions];
  return {
    id,
    at: new Date(at).toISOString(),
    who: actor_address || (actor ? gone : site),
    what: says ? fill(says, { target }) : `${action} ${target}`.trim(),
    changes: changesOf(row, words),
    network,
  };
}

function changesOf({ before, after }: AuditRow, words: WorkspaceWords): AuditChange[] {
  const [former, latter] = [fieldsOf(before), fieldsOf(after)];
  const labels: Readonly<Record<string, string>> = words.audit.fields;
  const names = [...new Set([...Object.keys(former ?? {}), ...Object.keys(latter ?? {})])];
  return names.flatMap((name) => {
    const [was, is] = [former?.[name], latter?.[name]];
    // The database counts with it what did not fit into the line.
    if (name === unkept)
      return {
        field: fill(words.audit.more, { count: Number(is) }),
        before: undefined,
        after: undefined,
      };
    const field = labels[name] ?? name;
    if (former && latter && JSON.stringify(was) === JSON.stringify(is)) {
      return was === unkept ? { field, before: undefined, after: words.audit.changed } : [];
    }
    return {
      field,
      before: former ? valueWords(name, was, words) : undefined,
      after: latter ? valueWords(name, is, words) : undefined,
    };
  });
}

function fieldsOf(stored: AuditRow["before"]): Readonly<Record<string, unknown>> | undefined {
  return typeof stored === "object" && stored !== null ? stored : undefined;
}

function valueWords(name: string, value: unknown, words: WorkspaceWords): string {
  const { none, yes, no } = words.audit;
  if (value === undefined || value === null || value === "") return none;
  if (typeof value === "boolean") return value ? yes : no;
  if (Array.isArray(value)) return value.join(", ") || none;
  if (name === "role" && Object.hasOwn(words.roles, String(value))) {
    return words.roles[value as Role].name;
  }
  return name === "ends" ? shortMomentOf(String(value)) : String(value);
}

/** How many lines the page shows at once. */
const linesPerPage = 50;

export type AuditView = Awaited<ReturnType<typeof auditView>>;

/** What the page of the audit log shows. `lines` is undefined where they cannot be read, or not by this role. */
export async function auditView(
  { context, session }: RequestScope,
  workspace: OpenWorkspace,
  before: number | undefined,
) {
  const mayRead = roleMay(workspace.role, "audit");
  if (mayRead && before === undefined) await noteAnswers(context, workspace.id);
  const [words, page] = await Promise.all([
    workspaceWords(context),
    mayRead ? readAuditLog(session, workspace, { before, size: linesPerPage }) : undefined,
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

/** As many as the database answers at once. */
const csvPageSize = 1_000;
const maxCsvPages = 20;
const csvColumns = ["at", "who", "what", "action", "target", "before", "after", "network"] as const;

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
  if (from === undefined) await noteAnswers(context, workspace.id);
  const lines: (readonly string[])[] = [csvColumns];
  let before = from;
  for (let page = 0; page < maxCsvPages; page += 1) {
    const read = await readAuditLog(session, workspace, { before, size: csvPageSize });
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
