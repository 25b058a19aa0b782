import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PGlite } from "@electric-sql/pglite";

const folder = "node_modules/.cache/livekit-deploy";
const { version }: { version: string } = createRequire(import.meta.url)(
  "../../../node_modules/@electric-sql/pglite/package.json",
);

/**
 * The files of an empty PostgreSQL. Making them takes several seconds and opening them about one, so they are made
 * once for each version and kept beside the packages. The working directory must be the project's root.
 */
export async function emptyDatabase(): Promise<Blob> {
  const file = `${folder}/empty-database-${version}.tar`;
  if (existsSync(file)) return new Blob([readFileSync(file)]);
  await using database = await PGlite.create();
  const made = await database.dumpDataDir("none");
  mkdirSync(folder, { recursive: true });
  // Renamed when whole: several programs may do this at once, and one may be stopped.
  const unfinished = `${file}.${randomUUID()}`;
  writeFileSync(unfinished, new Uint8Array(await made.arrayBuffer()));
  renameSync(unfinished, file);
  return made;
}

/** A PostgreSQL in this process's memory, with nothing in it. */
export async function openEmptyDatabase(): Promise<PGlite> {
  return PGlite.create({ loadDataDir: await emptyDatabase() });
}
