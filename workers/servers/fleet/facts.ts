import type { WorkspaceFacts } from "~/features/servers/fleet/workspace-facts";

const name = "workspace";

/** What the site last told of the workspace; undefined where only a site that is one version older made tokens. */
export function factsIn(sql: SqlStorage): WorkspaceFacts | undefined {
  const [stored] = sql
    .exec<{ value: string }>("select value from settings where name = ?", name)
    .toArray();
  // Only this file writes the row.
  return stored && (JSON.parse(stored.value) as WorkspaceFacts);
}

/** Written only where they differ from what is there: a row costs money. */
export function keepFacts(sql: SqlStorage, facts: WorkspaceFacts): void {
  const value = JSON.stringify(facts);
  sql.exec(
    `insert into settings values (?, ?)
     on conflict do update set value = excluded.value where value <> excluded.value`,
    ...[name, value],
  );
}
