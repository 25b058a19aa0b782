import type { Database } from "./database.ts";

const userColumns = `
  id, aud, role, email, phone, email_confirmed_at, confirmed_at, last_sign_in_at,
  raw_app_meta_data as app_metadata, raw_user_meta_data as user_metadata, created_at, updated_at`;

/**
 * The part of Supabase's admin API that the embedded server lacks: list, read and delete users.
 * Answers undefined when the request is for something else.
 */
export async function answerAdminUsers(
  request: Request,
  database: Database,
  secretKey: string,
): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  const match = /^\/auth\/v1\/admin\/users(?:\/([0-9a-f-]{36}))?$/.exec(pathname);
  if (!match) return;
  if (request.headers.get("apikey") !== secretKey) {
    return Response.json(
      { code: 401, error_code: "no_authorization", msg: "This endpoint requires the secret key" },
      { status: 401 },
    );
  }
  const id = match[1];
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
  return rows[0]
    ? Response.json(rows[0])
    : Response.json(
        { code: 404, error_code: "user_not_found", msg: "User not found" },
        { status: 404 },
      );
}
