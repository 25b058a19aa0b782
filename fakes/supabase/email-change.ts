import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "./database/database.ts";

export interface SupabaseMail {
  to: string;
  subject: string;
  text?: string;
  html?: string;
}

type Handle = (request: Request) => Promise<Response>;
type Tokens = {
  id: string;
  email_change: string | null;
  current: string | null;
  wanted: string | null;
};

const mailsOfRequest = new AsyncLocalStorage<SupabaseMail[]>();

/** Keeps a mail for the function that is answering the present request. */
export function rememberMail(mail: SupabaseMail): void {
  mailsOfRequest.getStore()?.push(mail);
}

const tokensOf = `
  select id, email_change, email_change_token_current as current, email_change_token_new as wanted
  from auth.users`;

/**
 * Supabase Auth mails both addresses when one is to replace the other, and makes the change when both links were
 * followed, in any order. The embedded server mails only the old address, and needs only that link. Undefined if the
 * request is about something else.
 */
export async function changeEmail(
  request: Request,
  database: Database,
  handle: Handle,
  sendMail: (mail: SupabaseMail) => void | Promise<void>,
): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (request.method === "PUT" && pathname === "/auth/v1/user") {
    return askBoth(request, database, handle, sendMail);
  }
  if (request.method === "POST" && pathname === "/auth/v1/verify") {
    return agree(request, database, handle);
  }
}

async function askBoth(
  request: Request,
  database: Database,
  handle: Handle,
  sendMail: (mail: SupabaseMail) => void | Promise<void>,
): Promise<Response> {
  const mails: SupabaseMail[] = [];
  const response = await mailsOfRequest.run(mails, () => handle(request));
  const [toOld] = mails;
  if (!response.ok || !toOld) return response;
  const { rows } = await database.query<Tokens>(`${tokensOf} where email = $1`, [toOld.to]);
  const { email_change, current, wanted } = rows[0] ?? {};
  if (!email_change || !current || !wanted) return response;
  const forNew = (text: string | undefined) => text?.replaceAll(current, wanted);
  const [html, text] = [forNew(toOld.html), forNew(toOld.text)];
  await sendMail({
    ...toOld,
    to: email_change,
    ...(html === undefined ? {} : { html }),
    ...(text === undefined ? {} : { text }),
  });
  return response;
}

async function agree(
  request: Request,
  database: Database,
  handle: Handle,
): Promise<Response | undefined> {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== "object" || body === null || !("type" in body && "token_hash" in body))
    return;
  if (body.type !== "email_change" || typeof body.token_hash !== "string") return;
  const hash = body.token_hash;
  const { rows } = await database.query<Tokens>(
    `${tokensOf} where email_change_token_current = $1 or email_change_token_new = $1`,
    [hash],
  );
  const [user] = rows;
  if (!hash || !user) return;
  if (user.current && user.wanted) {
    const used = user.current === hash ? "email_change_token_current" : "email_change_token_new";
    await database.query(
      `update auth.users set ${used} = null, email_change_confirm_status = 1 where id = $1`,
      [user.id],
    );
    return Response.json({
      code: "200",
      msg: "Confirmation link accepted. Please proceed to confirm link sent to the other email",
    });
  }
  // The embedded server expects the link that was mailed to the old address, so this link is stored as that one.
  await database.query(
    `update auth.users
     set email_change_token_current = $2, email_change_token_new = null,
       email_change_confirm_status = 0
     where id = $1`,
    [user.id, hash],
  );
  return handle(request);
}
