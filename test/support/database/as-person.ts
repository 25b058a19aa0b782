import type { Query } from "./many-rows.ts";

/** The n-th of a test's accounts. */
export function accountId(n: number): string {
  return `00000000-0000-4000-9000-${String(n).padStart(12, "0")}`;
}

/** An account with a confirmed address, and a session whose id is the account's. */
export async function addAccount(query: Query, id: string, email = `${id}@example.com`) {
  await query(
    `insert into auth.users (id, aud, role, email, email_confirmed_at)
     values ($1, 'authenticated', 'authenticated', $2, now())`,
    [id, email],
  );
  await query("insert into auth.sessions (id, user_id) values ($1, $1)", [id]);
}

/** What SQL answers to somebody who is signed in, as the database's own API runs it. Nothing of it is kept. */
export function readAs<Row>(
  query: Query,
  person: string,
  sql: string,
  { parameters = [], aal = "aal1" }: { parameters?: unknown[]; aal?: string } = {},
): Promise<Row[]> {
  const claims = { sub: person, role: "authenticated", session_id: person, aal };
  return inRole(query, "authenticated", claims, sql, parameters);
}

/** The same with the Worker's key. Nothing of it is kept either. */
export function tryAsWorker<Row>(
  query: Query,
  sql: string,
  parameters: unknown[] = [],
): Promise<Row[]> {
  return inRole(query, "service_role", { role: "service_role" }, sql, parameters);
}

async function inRole<Row>(
  query: Query,
  role: string,
  claims: { role: string; sub?: string },
  sql: string,
  parameters: unknown[],
): Promise<Row[]> {
  await query("begin");
  try {
    // The embedded server's auth.uid() reads the second of the settings, a hosted project's the first.
    await query(
      `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
         set_config('request.jwt.claim.sub', $3, true)`,
      [role, JSON.stringify(claims), claims.sub ?? ""],
    );
    return await query<Row>(sql, parameters);
  } finally {
    await query("rollback");
  }
}
