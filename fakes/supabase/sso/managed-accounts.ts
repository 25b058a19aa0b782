import * as z from "zod";
import { claimsOf } from "../access-token.ts";
import type { Database } from "../database/database.ts";
import { refusal } from "../refusals.ts";

const change = z.object({
  email: z.string().optional(),
  phone: z.string().optional(),
  password: z.string().optional(),
  nonce: z.string().optional(),
});

/**
 * Refuses to change what the provider of an account of single sign-on says, as supabase/auth v2.196.0 does in
 * internal/api/user.go, read in November 2026: address, number and password. A second factor is its own.
 */
export async function refuseManaged(
  request: Request,
  database: Database,
): Promise<Response | undefined> {
  if (`${request.method} ${new URL(request.url).pathname}` !== "PUT /auth/v1/user") return;
  const wish = change.safeParse(await request.clone().json());
  if (!wish.success) return;
  const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
  const { rows } = await database.query<{ email: string | null; phone: string | null }>(
    "select email, phone from auth.users where id = $1 and is_sso_user",
    [claimsOf(token)?.sub ?? null],
  );
  const [person] = rows;
  if (!person) return;
  const { email, phone, password, nonce } = wish.data;
  const isOther = (typed: string | undefined, present: string | null) =>
    typed !== undefined && typed !== "" && typed !== present;
  if (!password && !nonce && !isOther(email, person.email) && !isOther(phone, person.phone)) return;
  const message = "Updating email, phone, password of a SSO account only possible via SSO";
  return refusal(422, "user_sso_managed", message);
}
