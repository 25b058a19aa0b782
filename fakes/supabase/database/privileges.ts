import type { Database } from "./database.ts";

/**
 * Gives a new database the roles and default privileges that a hosted Supabase project has, so
 * that a migration's own grants and revokes mean the same in both.
 */
export async function prepareRoles(database: Database): Promise<void> {
  await database.exec(`
    do $$ begin
      if not exists (select from pg_roles where rolname = 'anon') then
        create role anon nologin;
        create role authenticated nologin;
        create role service_role nologin bypassrls;
      end if;
    end $$;
    grant usage on schema public to anon, authenticated, service_role;
    alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
    alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
    alter default privileges in schema public grant execute on functions to anon, authenticated, service_role;
  `);
}

/**
 * The embedded server grants everything on every table once more at its first request, which would
 * undo the migrations' revokes. Marking this as done keeps the privileges as written.
 */
export function keepPrivileges(connection: object): void {
  if (!Reflect.has(connection, "rlsState")) {
    throw new Error("@supabase/lite no longer has rlsState: look how it grants privileges now.");
  }
  Reflect.set(connection, "rlsState", "active");
}
