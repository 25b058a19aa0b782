import { randomUUID } from "node:crypto";
import { openPostgresClient } from "../../../scripts/lib/postgres-client.ts";

/** The databases that a run's PostgreSQL has ready: one of a new Supabase project, and one with all our migrations. */
export type Template = "project" | "migrated";

/** The one login of a run's PostgreSQL. */
export const owner = "postgres";

/** Copies a template. The copy goes with the run: to drop it would cost a checkpoint. */
export async function copyOf(template: Template, folder: string) {
  const database = `copy_${randomUUID().replaceAll("-", "_")}`;
  await createDatabase(folder, database, template);
  return { host: folder, user: owner, database };
}

/** The template must have no connection. */
export async function createDatabase(folder: string, database: string, template: string) {
  const client = await openPostgresClient({ host: folder, user: owner, database: "postgres" });
  try {
    await client.query(`create database ${database} template ${template} strategy file_copy`);
  } finally {
    await client.end();
  }
}
