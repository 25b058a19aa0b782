import type pg from "pg";
import { expect, test } from "vitest";
import { readMigrations } from "../../../scripts/deploy/database/migration-files.ts";
import { accountId } from "../../support/database/as-person.ts";
import {
  processOf,
  startDebianPostgres,
  untilItWaits,
} from "../../support/database/debian-postgres.ts";

const person = accountId(1);

/** As the Worker of the version before calls it: for a deployment and for a new one. */
async function keep(client: pg.Client, deployment: string, domain: string): Promise<boolean[]> {
  const kept: boolean[] = [];
  for (const target of [deployment, null]) {
    const { rows } = await client.query<{ kept: boolean }>(
      `select public.keep_unsaved_changes(owner => $1, fields_of_form => array['domain'],
         new_changes => jsonb_build_object('domain', jsonb_build_object('was', '', 'now', $2::text)),
         target => $3) as kept`,
      [person, domain, target],
    );
    kept.push(rows[0]?.kept ?? false);
  }
  return kept;
}

/** What the person reads of it, signed in. */
async function seen(client: pg.Client): Promise<string[]> {
  await client.query("begin");
  await client.query(
    "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
    [JSON.stringify({ sub: person, role: "authenticated", session_id: person })],
  );
  const { rows } = await client.query<{ typed: string }>(
    "select changes -> 'domain' ->> 'now' as typed from public.unsaved_changes",
  );
  await client.query("rollback");
  return rows.map((each) => each.typed);
}

/** The others leave the table open to whoever writes. */
const lockTheTable = [
  "unsaved_changes_workspace",
  "unsaved_changes_filled",
  "unsaved_changes_by_role",
  "unsaved_changes_key",
];

test("while unsaved changes get their workspace, the version before keeps and shows them", async () => {
  await using postgres = await startDebianPostgres({ until: "20261124139999" });
  const deploy = await postgres.connect();
  const writer = await postgres.connect();
  await deploy.query("insert into auth.users (id) values ($1)", [person]);
  await deploy.query("insert into auth.sessions (id, user_id) values ($1, $1)", [person]);
  const { rows } = await deploy.query<{ id: string }>(
    "select public.create_deployment($1, 'Server', '{}', 9) as id",
    [person],
  );
  const deployment = rows[0]?.id ?? "none";
  expect(await keep(writer, deployment, "before")).toEqual([true, true]);

  const writing = await processOf(writer);
  const migrations = readMigrations("supabase/migrations").filter(({ name }) =>
    name.startsWith("unsaved_changes_"),
  );
  expect(migrations).toHaveLength(5);
  for (const { name, sql } of migrations) {
    await deploy.query("begin");
    await deploy.query(sql);
    const kept = keep(writer, deployment, name);
    if (lockTheTable.includes(name)) await untilItWaits(deploy, writing);
    await deploy.query("commit");
    expect(await kept, name).toEqual([true, true]);
    expect(await seen(writer), name).toEqual([name, name]);
  }
  const { rows: workspaces } = await deploy.query(
    "select distinct workspace_id from public.unsaved_changes",
  );
  expect(workspaces).toEqual([{ workspace_id: person }]);
});
