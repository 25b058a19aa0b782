/**
 * The roles of a hosted project, with the rights that its own set-up gives them. The owner of the tables,
 * "postgres", is no superuser there: what it may do in the schema of the auth server is what that server's
 * migrations grant it.
 */
export const supabaseRoles = `
  create role anon nologin noinherit;
  create role authenticated nologin noinherit;
  create role service_role nologin noinherit bypassrls;
  create role authenticator login;
  create role supabase_auth_admin login noinherit createrole;
  create role dashboard_user nologin createrole createdb;
  create role postgres login createrole createdb replication bypassrls;
  grant anon, authenticated, service_role to authenticator;
  grant anon, authenticated, service_role to postgres with admin option;
  grant pg_read_all_data, pg_signal_backend to postgres;
  alter role supabase_auth_admin set search_path = auth;
  alter role postgres set search_path = "$user", public, extensions;
  alter role authenticator set search_path = public, extensions;
`;

/** What stands in the database of a project before any service has run. */
export const supabaseSchemas = `
  create schema extensions authorization postgres;
  grant usage on schema extensions to anon, authenticated, service_role, dashboard_user;
  create extension pgcrypto with schema extensions;
  create extension "uuid-ossp" with schema extensions;
  create schema auth authorization supabase_auth_admin;
  grant usage on schema auth to anon, authenticated, service_role, postgres, dashboard_user;
  alter default privileges for role supabase_auth_admin in schema auth
    grant all on tables to postgres, dashboard_user;
  alter default privileges for role supabase_auth_admin in schema auth
    grant all on sequences to postgres, dashboard_user;
  alter default privileges for role supabase_auth_admin in schema auth
    grant all on functions to postgres, dashboard_user;
  grant usage on schema public to anon, authenticated, service_role, postgres;
  alter default privileges for role postgres in schema public
    grant all on tables to anon, authenticated, service_role;
  alter default privileges for role postgres in schema public
    grant all on sequences to anon, authenticated, service_role;
  alter default privileges for role postgres in schema public
    grant all on functions to anon, authenticated, service_role;
`;

/**
 * What the REST side of the proof needs besides, as the login that it switches from: it looks for a token's
 * person and session, and passes the request on whether they are there or not. No role of a request has this.
 */
export const restSideRights = `
  grant select on auth.users, auth.sessions to authenticator;
`;
