import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inMemory, openLite } from "../../fakes/supabase/database/lite.ts";
import { readCommandLine } from "../lib/command-line.ts";
import { describeDatabase } from "./database-types/description.ts";
import { renderFingerprint } from "./database-types/fingerprint.ts";
import { renderDatabaseTypes } from "./database-types/rendering.ts";
import { renderRoleRights } from "./database-types/role-rights.ts";

const { values } = readCommandLine({
  usage: "npm run database:types [-- --check]",
  about: `Writes the database's types, its roles' rights and supabase/schema.txt again, after a new migration. It takes some
seconds.`,
  options: {
    check: { type: "boolean", default: false, help: "says whether they fit, and writes nothing" },
  },
});

const { database, connection } = await openLite(inMemory, { auth: { enabled: true } });
const files = {
  "app/platform/database/types.ts": renderDatabaseTypes(await describeDatabase(database)),
  "app/platform/database/role-rights.ts": await renderRoleRights(database),
  "supabase/schema.txt": await renderFingerprint(database),
};
await connection.close();

for (const [file, content] of Object.entries(files)) {
  if (!values.check) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    console.log(`✓ Wrote ${file}`);
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== content) {
    console.error(`${file} does not match supabase/migrations. Run: npm run database:types`);
    console.error(differingLines(file, content));
    process.exitCode = 1;
  } else {
    console.log(`✓ ${file} matches supabase/migrations`);
  }
}

/** At most ten lines that only one of both has. */
function differingLines(file: string, content: string): string {
  const written = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const next = content.split("\n");
  return [
    ...written.filter((line) => !next.includes(line)).map((line) => `- ${line}`),
    ...next.filter((line) => !written.includes(line)).map((line) => `+ ${line}`),
  ]
    .slice(0, 10)
    .join("\n");
}
