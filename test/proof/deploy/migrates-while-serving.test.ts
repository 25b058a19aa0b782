import { expect, test } from "vitest";
import type { PostgresClient } from "../../../scripts/lib/postgres-client.ts";
import { accountId } from "../../support/database/as-person.ts";
import {
  processOf,
  startDebianPostgres,
  untilItWaits,
} from "../../support/database/debian-postgres.ts";
import { laterMigrations } from "../../support/database/later-migrations.ts";
import { addCustomers } from "../../support/database/migrated-database.ts";

const person = accountId(1);

/** How many deployments somebody reads who is signed in. */
async function seenBy(client: PostgresClient): Promise<number | undefined> {
  await client.query("begin");
  await client.query(
    "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
    [JSON.stringify({ sub: person, role: "authenticated", session_id: person })],
  );
  const { rows } = await client.query<{ seen: number }>(
    "select count(*)::int as seen from public.deployments",
  );
  await client.query("rollback");
  return rows[0]?.seen;
}

/**
 * The calls of the version that serves meanwhile: one changes what is there, the other adds to it. Each is a statement
 * of its own, as PostgREST makes them.
 */
async function write(client: PostgresClient, id: string, name: string) {
  const saved = await client.query<{ saved: string }>(
    `select public.save_deployment($1, $2, $3, '{}',
       (select version from public.deployments where id = $2)) as saved`,
    [person, id, name],
  );
  const made = await client.query<{ made: boolean }>(
    "select public.create_deployment($1, $2, '{}', 100) is not null as made",
    [person, name],
  );
  return { ...saved.rows[0], ...made.rows[0] };
}

/** The others leave the table open to writers. */
const lockDeployments = [
  "deployments_label",
  "labels_filled",
  "labels_checked",
  "deployments_by_label",
];

test("while deployments of 2,000 customers get a new column, the version before reads and writes", async () => {
  await using postgres = await startDebianPostgres({ onlyBeginning: true });
  const deploy = await postgres.connect();
  const reader = await postgres.connect();
  const writer = await postgres.connect();
  await reader.query("set statement_timeout = '30s'");
  await addCustomers(
    async <Row>(sql: string, parameters?: unknown[]) =>
      (await deploy.query(sql, parameters)).rows as Row[],
    2_000,
  );
  const { rows } = await deploy.query<{ id: string }>(
    "select id from public.deployments where user_id = $1",
    [person],
  );
  const id = rows[0]?.id ?? "none";
  let seen = rows.length;
  expect(await seenBy(reader)).toBe(seen);

  const writing = await processOf(writer);
  for (const { name, sql } of laterMigrations) {
    await deploy.query("begin");
    await deploy.query(sql);
    // The one that writes the rows of everybody: nobody's reading waits for its end.
    if (name === "labels_filled") expect(await seenBy(reader)).toBe(seen);
    const written = write(writer, id, name);
    if (lockDeployments.includes(name)) await untilItWaits(deploy, writing);
    const read = seenBy(reader);
    await deploy.query("commit");
    expect(await written, name).toEqual({ saved: "saved", made: true });
    expect([seen, seen + 1]).toContain(await read);
    seen += 1;
    expect(await seenBy(reader), name).toBe(seen);
  }
  const unlabelled = await deploy.query("select from public.deployments where label_id is null");
  expect(unlabelled.rows).toEqual([]);
});
