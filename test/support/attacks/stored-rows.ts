import { readFileSync } from "node:fs";
import { describeDatabase } from "../../../scripts/generate/database-types/description.ts";
import { openDatabase } from "../database/open-database.ts";
import { runSql } from "../site/control-fakes.ts";
import { variable } from "../site/variables.ts";

/** Every table and function of schema public, from a database that the migrations have just made. */
export async function describedDatabase() {
  const { database, close } = await openDatabase();
  try {
    return await describeDatabase(database);
  } finally {
    await close();
  }
}

/** The names of all tables, from the types that lint holds against the migrations. */
export function tableNames(): string[] {
  const types = readFileSync("app/platform/database/types.ts", "utf8");
  const [, tables = ""] = /\n {4}Tables: \{\n([\s\S]*?)\n {4}\};/.exec(types) ?? [];
  return [...tables.matchAll(/^ {6}(\w+): \{$/gm)].map(([, name = ""]) => name);
}

/** One call of the database's own API, as anybody can make it who has the publishable key. */
export function askDatabase(
  path: string,
  { token, key, method = "GET", body }: DatabaseCall,
): Promise<Response> {
  return fetch(`${variable("SUPABASE_URL")}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: key ?? variable("SUPABASE_PUBLISHABLE_KEY"),
      authorization: `Bearer ${token ?? key ?? variable("SUPABASE_PUBLISHABLE_KEY")}`,
      "content-type": "application/json",
      prefer: "return=representation",
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

type DatabaseCall = { token?: string; key?: string; method?: string; body?: object };

/** Everything that is stored in these tables. */
export async function everyRow(tables: readonly string[]): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  // Not by the database's API: some tables no role of it may read.
  for (const table of tables) rows[table] = await runSql(`select * from public.${table}`);
  return rows;
}
