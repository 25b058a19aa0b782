import { changedTables, contentsOf } from "../../database/changed-tables.ts";
import type { Query } from "../../database/many-rows.ts";
import type { DatabaseWorld } from "./database-world.ts";

/** A role of the database's API: somebody's who is signed in, nobody's, or the Worker's. */
export type ApiRole =
  | { role: "authenticated"; person: string; aal: "aal1" | "aal2" }
  | { role: "anon" }
  | { role: "service_role" };

/** What came of a statement. `answer` is its first row's, or the code of its error. */
export type Outcome = { answer: unknown; changed: string[] };

/** Runs `select … as answer` in a role of the API, and sees which tables it changed. Nothing of it is kept. */
export async function attempt(
  { query, tables, contents }: DatabaseWorld,
  as: ApiRole,
  sql: string,
): Promise<Outcome> {
  await query("begin");
  try {
    await takeRole(query, as);
    const [row] = await query<{ answer: unknown }>(`select ${sql} as answer`);
    await query("reset role");
    const after = await contentsOf(query, tables);
    return { answer: row?.answer ?? null, changed: changedTables(contents, after) };
  } catch (error) {
    return { answer: codeOf(error), changed: [] };
  } finally {
    await query("rollback");
  }
}

/** Runs any statement in a role of the API. Answers its rows, or the code of its error. Nothing of it is kept. */
export async function tryAs<Row>(query: Query, as: ApiRole, sql: string): Promise<Row[] | string> {
  await query("begin");
  try {
    await takeRole(query, as);
    return await query<Row>(sql);
  } catch (error) {
    return codeOf(error);
  } finally {
    await query("rollback");
  }
}

function takeRole(query: Query, as: ApiRole): Promise<unknown> {
  const claims =
    as.role === "authenticated"
      ? { sub: as.person, session_id: as.person, aal: as.aal, role: as.role }
      : { role: as.role };
  // The embedded server's auth.uid() reads the last of the settings, a hosted project's the one before.
  return query(
    `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
       set_config('request.jwt.claim.sub', $3, true)`,
    [as.role, JSON.stringify(claims), "sub" in claims ? claims.sub : ""],
  );
}

/** The code of a refusal by the database; anything else is thrown. */
function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === forbidden) return forbidden;
  throw error;
}

/** PostgreSQL's code of "insufficient_privilege". */
export const forbidden = "42501";
