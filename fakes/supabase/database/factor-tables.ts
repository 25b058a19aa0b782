import type { Database } from "./database.ts";

/**
 * Supabase Auth's own tables for second factors and for how each session was proved, which the embedded
 * server lacks. They are there before the migrations, whose functions name them.
 */
const tables = `
  create table if not exists auth.mfa_factors (
    id uuid primary key,
    user_id uuid not null references auth.users (id) on delete cascade,
    friendly_name text,
    factor_type text not null default 'totp',
    status text not null,
    secret text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  );
  alter table auth.mfa_factors
    add column if not exists factor_type text not null default 'totp',
    add column if not exists last_challenged_at timestamptz,
    add column if not exists phone text;
  create table if not exists auth.mfa_challenges (
    id uuid primary key,
    factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
    created_at timestamptz not null default now()
  );
  alter table auth.mfa_challenges
    add column if not exists otp_code text,
    add column if not exists ip_address inet,
    add column if not exists verified_at timestamptz;
  create table if not exists auth.mfa_amr_claims (
    session_id uuid not null references auth.sessions (id) on delete cascade,
    authentication_method text not null,
    created_at timestamptz not null default now(),
    primary key (session_id, authentication_method)
  );
  alter table auth.mfa_amr_claims
    add column if not exists id uuid not null default gen_random_uuid(),
    add column if not exists updated_at timestamptz not null default now();`;

/** Providers of single sign-on; the auth server has more tables for them, which nobody else reads. */
const providerTable = `
  create table if not exists auth.sso_providers (
    id uuid primary key,
    metadata_url text not null unique,
    domains text[] not null,
    created_at timestamptz not null default now()
  );`;

/** Makes the tables where they are missing, and that of providers of single sign-on. */
export function prepareFactorTables(database: Database): Promise<unknown> {
  return database.exec(tables + providerTable);
}
