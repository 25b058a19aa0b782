import * as z from "zod";
import type { Database } from "./database/database.ts";
import type { MailLimits } from "./mail-limits.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Refusals } from "./refusals.ts";
import type { signingKeys } from "./signing-keys.ts";

const statement = z.strictObject({ sql: z.string(), parameters: z.array(z.unknown()) });

interface Controlled {
  keys: ReturnType<typeof signingKeys>;
  refusals: Refusals;
  rateLimits: RateLimits;
  mailLimits: MailLimits;
  database: Database;
}

/**
 * The controls by which tests change the auth server. They last until the next reset, if nothing else is said.
 * Undefined if the request is for something else.
 *
 * - `POST /_local/key-pair`: sign access tokens with a published key, as a hosted project does.
 * - `POST /_local/refuse` with path, status, error_code, msg and perhaps method and times: refuse the next such
 *   request, as a project with other settings or in trouble does.
 * - `POST /_local/rate-limits` with on: count requests by address as the real server does, or do not, also after a
 *   reset.
 * - `POST /_local/mail-limit` with left or seconds: how many mails the project may still send, and how long nobody
 *   gets a second one.
 * - `POST /_local/sql` with sql and parameters: run it as the owner of the database, and answer the rows.
 */
export async function answerControl(
  request: Request,
  { keys, refusals, rateLimits, mailLimits, database }: Controlled,
): Promise<Response | undefined> {
  switch (new URL(request.url).pathname) {
    case "/_local/key-pair":
      keys.setKeyPair(true);
      return Response.json({ keyPair: true });
    case "/_local/refuse":
      return refusals.add(request);
    case "/_local/rate-limits": {
      const wish = z.strictObject({ on: z.boolean() }).parse(await request.json());
      rateLimits.switch(wish.on);
      return Response.json(wish);
    }
    case "/_local/mail-limit":
      return mailLimits.set(request);
    case "/_local/sql": {
      const { sql, parameters } = statement.parse(await request.json());
      return Response.json((await database.query(sql, parameters)).rows);
    }
  }
}
