import type { Role } from "~/platform/database/role-rights";
import { shortMomentOf } from "~/ui/dates";
import { fill } from "../fill";
import type { WorkspaceWords } from "../workspace-words.server";
import type { AuditRow } from "./audit-log.server";

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

export function auditLine(row: AuditRow, words: WorkspaceWords): AuditLine {
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
      before: former ? shownValue(name, was, words) : undefined,
      after: latter ? shownValue(name, is, words) : undefined,
    };
  });
}

function fieldsOf(stored: AuditRow["before"]): Readonly<Record<string, unknown>> | undefined {
  return typeof stored === "object" && stored !== null ? stored : undefined;
}

function shownValue(name: string, value: unknown, words: WorkspaceWords): string {
  const { none, yes, no } = words.audit;
  if (value === undefined || value === null || value === "") return none;
  if (typeof value === "boolean") return value ? yes : no;
  if (Array.isArray(value)) return value.join(", ") || none;
  if (name === "role" && Object.hasOwn(words.roles, String(value))) {
    return words.roles[value as Role].name;
  }
  return name === "ends" ? shortMomentOf(String(value)) : String(value);
}
