// Makes the templates of a run's PostgreSQL, in a process of its own: `prepare-postgres.ts FOLDER`.

import { applyOurMigrations } from "../../../fakes/supabase/database/lite.ts";
import { openLiteOnPostgres } from "./lite-on-postgres.ts";
import { createDatabase, owner, type Template } from "./templates.ts";

const folder = process.argv[2] ?? "";

async function prepare(database: Template, from: string, migrate?: typeof applyOurMigrations) {
  await createDatabase(folder, database, from);
  const address = { host: folder, user: owner, database, max: 1 };
  const { connection } = await openLiteOnPostgres(address, { auth: { enabled: true } }, migrate);
  await connection.close();
}

await prepare("project", "template0");
await prepare("migrated", "project", applyOurMigrations);
