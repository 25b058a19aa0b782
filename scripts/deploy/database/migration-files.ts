import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PlainFailure } from "../../lib/terminal.mjs";

/** One file of `supabase/migrations`, named `<version>_<name>.sql` as the Supabase CLI names them. */
export type Migration = { version: string; name: string; file: string; sql: string };

const fileName = /^(\d{14})_(\w+)\.sql$/;
/** Each migration runs in a transaction of ours. One that ended it could be applied without being recorded. */
const endsTransaction = /^\s*(begin|commit|rollback|start\s+transaction)\s*;/im;

/** Reads the migrations of a folder, oldest first. Throws one sentence about what does not fit. */
export function readMigrations(folder: string): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  const migrations = files.sort().map((file) => readMigration(folder, file));
  migrations.reduce<Migration | undefined>((previous, migration) => {
    if (previous?.version === migration.version) {
      throw new PlainFailure(
        `${previous.file} and ${migration.file} have the same version. Rename one of them.`,
      );
    }
    return migration;
  }, undefined);
  return migrations;
}

function readMigration(folder: string, file: string): Migration {
  const [, version, name] = fileName.exec(file) ?? [];
  if (!version || !name) {
    throw new PlainFailure(
      `${join(folder, file)} is not named like a migration: YYYYMMDDHHMMSS_what_it_does.sql`,
    );
  }
  const sql = readFileSync(join(folder, file), "utf8");
  const found = endsTransaction.exec(sql)?.[1];
  if (found) {
    throw new PlainFailure(
      `${join(folder, file)} says "${found}", but a migration already runs in a transaction.`,
    );
  }
  return { version, name, file, sql };
}
