import { factorColumns } from "./assurance.ts";
import type { Database } from "./database/database.ts";
import { refusal } from "./refusals.ts";
import { removeFactor } from "./second-factor.ts";

const userColumns = `
  id, aud, role, email, phone, email_confirmed_at, confirmed_at, last_sign_in_at,
  raw_app_meta_data as app_metadata, raw_user_meta_data as user_metadata, created_at, updated_at`;

/**
 * The part of Supabase's admin API that the embedded server lacks: list, read and delete users, and
 * list and remove a person's second factors.
 * Answers undefined when the request is for something else.
 */
export async function answerAdminUsers(
  request: Request,
  database: Database,
  secretKey: string,
): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  const match =
    /^\/auth\/v1\/admin\/users(?:\/([0-9a-f-]{36})(\/factors(?:\/([0-9a-f-]{36}))?)?)?$/.exec(
      pathname,
    );
  if (!match) return;
  if (request.headers.get("apikey") !== secretKey) {
    return refusal(401, "no_authorization", "This endpoint requires the secret key");
  }
  const [, id, factors, factorId] = match;
  if (id && factors) return answerFactors(request.method, database, id, factorId);
  if (request.method === "GET" && !id) {
    const { rows } = await database.query<object>(
      `select ${userColumns} from auth.users order by created_at desc`,
    );
    return Response.json({ users: rows, aud: "authenticated" });
  }
  const statement =
    request.method === "GET"
      ? `select ${userColumns} from auth.users where id = $1`
      : request.method === "DELETE"
        ? `delete from auth.users where id = $1 returning ${userColumns}`
        : undefined;
  if (!id || !statement) return Response.json({ code: 405, msg: "Not allowed" }, { status: 405 });
  const { rows } = await database.query<object>(statement, [id]);
  return rows[0] ? Response.json(rows[0]) : unknownUser();
}

const unknownUser = () => refusal(404, "user_not_found", "User not found");

/** Removing one puts the sessions that it opened back to aal1, as Supabase Auth does. */
async function answerFactors(
  method: string,
  database: Database,
  userId: string,
  factorId: string | undefined,
): Promise<Response> {
  const { rows: users } = await database.query("select from auth.users where id = $1", [userId]);
  if (users.length === 0) return unknownUser();
  const { rows } = await database.query<{ id: string; status: string }>(
    `select ${factorColumns} from auth.mfa_factors where user_id = $1 order by created_at`,
    [userId],
  );
  if (method === "GET" && !factorId) return Response.json(rows);
  const factor = rows.find(({ id }) => id === factorId);
  if (!factor) return refusal(404, "mfa_factor_not_found", "Factor not found");
  if (method !== "DELETE") return Response.json({ code: 405, msg: "Not allowed" }, { status: 405 });
  await removeFactor(database, factor.id);
  return Response.json(factor);
}
