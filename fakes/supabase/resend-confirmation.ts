import { createHash, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Database } from "./database/database.ts";
import type { SupabaseMail } from "./email-change.ts";
import { mailTemplates } from "./mail-templates.ts";

/** Of every mailed code. */
export const codeLength = 8;

const body = z.object({ email: z.string(), type: z.string().optional() });

/** How the embedded server stores the code of an address, and what its links carry. */
const hashOf = (email: string, code: string) =>
  createHash("sha256")
    .update(email + code)
    .digest("hex");

/**
 * Supabase Auth mails a confirmation again when a minute has passed, and on a second sign-up with an
 * address that is not confirmed, whose password it keeps; whose address is confirmed gets no mail. The embedded
 * server always says that it is too early. Undefined if the request is about something else.
 */
export async function resendConfirmation(
  {
    request,
    database,
    siteUrl,
    sendMail,
  }: {
    request: Request;
    database: Database;
    siteUrl: string;
    sendMail(mail: SupabaseMail): void | Promise<void>;
  },
  handle: (request: Request) => Promise<Response>,
): Promise<Response | undefined> {
  const act = /^\/auth\/v1\/(resend|signup)$/.exec(new URL(request.url).pathname)?.[1];
  if (request.method !== "POST" || !act) return;
  const parsed = body.safeParse(
    await request
      .clone()
      .json()
      .catch(() => undefined),
  );
  if (!parsed.success) return;
  const answer = await handle(request);
  const asksForConfirmation = act === "signup" || parsed.data.type === "signup";
  if (!asksForConfirmation || answer.status !== 429) return answer;
  const email = parsed.data.email.toLowerCase();
  const code = String(randomInt(10 ** codeLength)).padStart(codeLength, "0");
  const hash = hashOf(email, code);
  const { rows } = await database.query(
    `update auth.users set confirmation_token = $2, confirmation_sent_at = now()
     where email = $1 and email_confirmed_at is null returning id`,
    [email, hash],
  );
  if (rows.length > 0) {
    const { subject, content_path } = mailTemplates.confirmation;
    const html = readFileSync(content_path, "utf8")
      .replaceAll("{{ .Token }}", code)
      .replaceAll("{{ .TokenHash }}", hash)
      .replaceAll("{{ .SiteURL }}", siteUrl)
      .replaceAll("{{ .RedirectTo }}", siteUrl);
    await sendMail({ to: email, subject, html });
  }
  return Response.json({});
}
