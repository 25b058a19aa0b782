import { claimsOf } from "./access-token.ts";
import type { Database } from "./database.ts";
import { refusal } from "./second-factor.ts";

/**
 * Removes a way to sign in, which the embedded server cannot. It cannot connect one by hand either:
 * that is answered as by a project where it is switched off. Answers undefined when the request is
 * for something else.
 */
export async function answerIdentities(
  request: Request,
  database: Database,
  handle: (request: Request) => Promise<Response>,
): Promise<Response | undefined> {
  const url = new URL(request.url);
  const wanted = /^\/auth\/v1\/user\/identities\/(authorize|[0-9a-f-]{36})$/.exec(
    url.pathname,
  )?.[1];
  if (!wanted) return;
  if (wanted === "authorize") {
    return refusal(404, "manual_linking_disabled", "Manual linking is disabled");
  }
  const known = await handle(
    new Request(new URL("/auth/v1/user", url), { headers: request.headers }),
  );
  const claims = claimsOf(request.headers.get("authorization")?.slice("Bearer ".length) ?? "");
  if (!known.ok || !claims) return known;
  const { rows } = await database.query<{ id: string }>(
    "select id from auth.identities where user_id = $1",
    [claims.sub],
  );
  if (rows.length < 2) {
    return refusal(
      422,
      "single_identity_not_deletable",
      "User must have at least 1 identity after unlinking",
    );
  }
  if (!rows.some(({ id }) => id === wanted)) {
    return refusal(422, "identity_not_found", "Identity doesn't exist");
  }
  await database.query("delete from auth.identities where id = $1", [wanted]);
  return Response.json({});
}
