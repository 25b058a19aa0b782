import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inMemory, openLite } from "../../fakes/supabase/database/lite.ts";
import { describeDatabase } from "./database-types/description.ts";
import { renderDatabaseTypes } from "./database-types/rendering.ts";

const file = "app/platform/database/types.ts";

const { database, connection } = await openLite(inMemory, { auth: { enabled: true } });
const wanted = renderDatabaseTypes(await describeDatabase(database));
await connection.close();

if (!process.argv.includes("--check")) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, wanted);
  console.log(`✓ Wrote ${file}`);
} else if (!existsSync(file) || readFileSync(file, "utf8") !== wanted) {
  console.error(`${file} does not match supabase/migrations. Run: npm run database:types`);
  process.exitCode = 1;
} else {
  console.log(`✓ ${file} matches supabase/migrations`);
}
