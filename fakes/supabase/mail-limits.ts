import * as z from "zod";
import type { Database } from "./database/database.ts";
import { refusal } from "./refusals.ts";

const wish = z.strictObject({
  /** How many mails the project may still send. */
  left: z.int().min(0).optional(),
  /** How long nobody gets a second mail of a kind. */
  seconds: z.int().positive().optional(),
});

const body = z.looseObject({ email: z.string(), create_user: z.boolean().optional() });

type Person = { confirmed: boolean; sent: number | null };

/**
 * The two limits of mails that Supabase Auth has: one for the whole project, and a pause for each person.
 * Both answer 429 with the same code, and another message. Off until a test asks for them.
 */
export class MailLimits {
  #left: number | undefined;
  #seconds: number | undefined;

  reset(): void {
    this.#left = undefined;
    this.#seconds = undefined;
  }

  /** `POST /_local/mail-limit` with what is `left` for the project, or the `seconds` of the pause. */
  async set(request: Request): Promise<Response> {
    const parsed = wish.safeParse(await request.json().catch(() => undefined));
    if (!parsed.success) return Response.json({ error: parsed.error.message }, { status: 400 });
    this.#left = parsed.data.left;
    this.#seconds = parsed.data.seconds;
    return Response.json(parsed.data);
  }

  /** The refusal of a request that would send a mail too many, before it changes anything. */
  async answer(request: Request, database: Database): Promise<Response | undefined> {
    if (this.#left === undefined && this.#seconds === undefined) return;
    const person = await this.#whoGetsMail(request, database);
    if (!person) return;
    const pause = this.#seconds === undefined ? 0 : this.#seconds - (person.sent ?? Infinity);
    if (pause > 0) {
      const seconds = Math.floor(pause);
      return overLimit(
        `For security purposes, you can only request this after ${seconds} seconds.`,
      );
    }
    if (this.#left === undefined) return;
    if (this.#left === 0) return overLimit("email rate limit exceeded");
    this.#left -= 1;
  }

  /** Whom a request would send a mail, and how many seconds ago the last of its kind went. */
  async #whoGetsMail(request: Request, database: Database): Promise<Person | undefined> {
    const path = new URL(request.url).pathname.replace("/auth/v1", "");
    const isChange = request.method === "PUT" && path === "/user";
    const asks =
      request.method === "POST" && /^\/(signup|otp|magiclink|recover|resend)$/.test(path);
    if (!isChange && !asks) return;
    const parsed = body.safeParse(
      await request
        .clone()
        .json()
        .catch(() => undefined),
    );
    if (!parsed.success) return;
    const column = isChange
      ? "email_change_sent_at"
      : path === "/signup" || path === "/resend"
        ? "confirmation_sent_at"
        : "recovery_sent_at";
    const { rows } = await database.query<Person>(
      `select email_confirmed_at is not null as confirmed,
         extract(epoch from now() - ${column})::float as sent
       from auth.users where lower(${isChange ? "email_change" : "email"}) = lower($1)`,
      [parsed.data.email],
    );
    const [account] = rows;
    const stranger = { confirmed: false, sent: null };
    if (isChange) return account ?? stranger;
    if (path === "/signup") return account?.confirmed ? undefined : (account ?? stranger);
    if (path === "/recover") return account;
    if (path === "/resend") return account?.confirmed ? undefined : account;
    return account ?? (parsed.data.create_user === false ? undefined : stranger);
  }
}

function overLimit(msg: string): Response {
  return refusal(429, "over_email_send_rate_limit", msg);
}
