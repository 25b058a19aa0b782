import { startPostgresProgram } from "../../../support/database/postgres-program.ts";
import { databasesAt } from "./databases.ts";
import { supabaseRoles } from "./supabase-roles.ts";

/** A real PostgreSQL on 127.0.0.1 at `port`, with the roles of a hosted Supabase project. */
export async function startPostgres(port: number): Promise<AsyncDisposable> {
  const postgres = await startPostgresProgram({
    owner: "supabase_admin",
    port,
    settings: { listen_addresses: "127.0.0.1" },
  });
  await databasesAt(port).run("postgres", supabaseRoles);
  return postgres;
}
