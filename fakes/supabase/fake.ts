import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { serveOnLoopback } from "../loopback-server.ts";
import { refuseInProduction } from "../refuse-production.ts";
import { answerAdminUsers } from "./admin-users.ts";
import { isAnonymousSignUp, signUpAnonymously } from "./anonymous.ts";
import { withAssurance } from "./assurance.ts";
import { answerControl } from "./control.ts";
import { withQuietErrors } from "./database/database-errors.ts";
import { emptyTables } from "./database/empty-tables.ts";
import { inMemory, type LiteConfig, type OpenedLite, openLite } from "./database/lite.ts";
import { changeEmail, rememberMail, type SupabaseMail } from "./email-change.ts";
import { verifyEmailOtp } from "./email-otp.ts";
import { withGoogleFake } from "./google-redirects.ts";
import { answerIdToken } from "./id-token.ts";
import { MailLimits } from "./mail-limits.ts";
import { mailTemplates } from "./mail-templates.ts";
import { changePhone } from "./phones/phone-change.ts";
import { signInByPhone } from "./phones/phone-sign-in.ts";
import { textsIntoInbox } from "./phones/text-messages.ts";
import { plainText } from "./plain-text.ts";
import { RateLimits } from "./rate-limits.ts";
import { Refusals, refusal } from "./refusals.ts";
import { codeLength, resendConfirmation } from "./resend-confirmation.ts";
import { answerSecondFactor } from "./second-factor.ts";
import { addressOf } from "./session-record.ts";
import { signingKeys } from "./signing-keys.ts";
import { refuseManaged } from "./sso/managed-accounts.ts";
import { answerSsoAdmin } from "./sso/providers.ts";
import { SingleSignOn } from "./sso/sign-in.ts";
import { Turns } from "./turns.ts";

const finishedMark = "local-ready";

/** Signs access tokens, as a hosted project's own secret does. */
export const localJwtSecret = "local-only-jwt-secret-at-least-32-characters-long";

/** The client that the Google fake must know. */
export const localGoogleClient = { id: "local-google-client", secret: "local-google-secret" };

/** Where Google sends people back to: the auth server, not the site. */
export function googleCallbackUrl(supabaseUrl: string): string {
  return `${supabaseUrl}/auth/v1/callback`;
}

export interface SupabaseFake {
  url: string;
  /** Empties every table in place; the schema stays. */
  reset(): Promise<void>;
  /** Runs SQL as the database owner, past row-level security. For tests. */
  query<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

// A first start that was interrupted leaves a directory that PostgreSQL cannot open.
function discardUnfinished(dataDirectory: string): void {
  if (existsSync(join(dataDirectory, finishedMark))) return;
  rmSync(dataDirectory, { recursive: true, force: true });
  mkdirSync(dirname(dataDirectory), { recursive: true });
}

function markFinished(dataDirectory: string): void {
  writeFileSync(join(dataDirectory, finishedMark), "");
}

/**
 * Postgres with row-level security, PostgREST and Supabase Auth in this process, with the
 * migrations of supabase/migrations. Run it with the project's root as working directory.
 * Without `dataDirectory` everything is in memory. Controls for tests: control.ts.
 */
export async function startSupabaseFake(options: {
  port: number;
  publishableKey: string;
  secretKey: string;
  siteUrl: string;
  /** The Google fake as a browser reaches it. */
  googleUrl: string;
  /** The same as this process reaches it, where that differs. */
  googleInternalUrl?: string;
  dataDirectory?: string;
  /** Whether requests are counted by address from the start, as at a hosted project. */
  rateLimits?: boolean;
  sendMail(mail: SupabaseMail): void | Promise<void>;
  /** Opens another database than the embedded one, with the migrations that it likes. */
  open?: (config: LiteConfig) => Promise<OpenedLite>;
}): Promise<SupabaseFake> {
  refuseInProduction("Supabase");
  const publicUrl = `http://127.0.0.1:${options.port}`;
  const { dataDirectory } = options;
  if (dataDirectory) discardUnfinished(dataDirectory);
  const open =
    options.open ?? ((config: LiteConfig) => openLite(dataDirectory ?? inMemory, config));
  const { app, connection, database } = await open({
    api: { external_url: publicUrl },
    auth: {
      enabled: true,
      jwt_secret: localJwtSecret,
      publishable_key: options.publishableKey,
      secret_key: options.secretKey,
      site_url: options.siteUrl,
      additional_redirect_urls: [`${options.siteUrl}/**`],
      minimum_password_length: 8,
      email: {
        enable_signup: true,
        enable_confirmations: true,
        double_confirm_changes: true,
        otp_length: codeLength,
        template: mailTemplates,
      },
      external: {
        google: {
          enabled: true,
          client_id: localGoogleClient.id,
          secret: localGoogleClient.secret,
          redirect_uri: googleCallbackUrl(publicUrl),
        },
      },
    },
    options: {
      server: { admin: false, disableStudio: true },
      drivers: {
        email: {
          send: async (mail: SupabaseMail) => {
            const whole = mail.html ? { ...mail, text: plainText(mail.html) } : mail;
            rememberMail(whole);
            await options.sendMail(whole);
          },
        },
      },
    },
  });
  if (dataDirectory) markFinished(dataDirectory);

  const google = {
    browserUrl: options.googleUrl,
    serverUrl: options.googleInternalUrl ?? options.googleUrl,
  };
  const keys = signingKeys(localJwtSecret, `${publicUrl}/auth/v1`);
  const refusals = new Refusals();
  const rateLimits = new RateLimits(options.rateLimits ?? false);
  const mailLimits = new MailLimits();
  const turns = new Turns();
  const singleSignOn = new SingleSignOn();
  const sendText = textsIntoInbox(options.sendMail);
  const sendMail = (mail: SupabaseMail) =>
    options.sendMail(mail.html ? { ...mail, text: plainText(mail.html) } : mail);
  const server = await serveOnLoopback(options.port, async (received, incoming) => {
    const peer = incoming.socket.remoteAddress;
    const address = addressOf(received, options.secretKey, peer);
    const isAnonymous = await isAnonymousSignUp(received);
    const controlled =
      (await answerControl(received, { keys, refusals, rateLimits, mailLimits, database })) ??
      refusals.answer(received) ??
      (isAnonymous ? undefined : rateLimits.answer(received, address)) ??
      (await mailLimits.answer(received, database));
    if (controlled) return controlled;
    const published = keys.answer(received);
    if (published) return published;
    const request = keys.understood(received);
    const pass = (each: Request) => app.fetch(each, { peerAddress: peer ?? null });
    const answer = async () =>
      (isAnonymous
        ? await signUpAnonymously({ database, rateLimits, address, sign: keys.sign })
        : undefined) ??
      (await answerSsoAdmin(request, database, options.secretKey)) ??
      (await singleSignOn.answer(request, database, options.siteUrl)) ??
      (await answerAdminUsers(request, database, options.secretKey)) ??
      (await answerIdToken(
        request,
        database,
        { ...google, clientId: localGoogleClient.id },
        pass,
      )) ??
      (await verifyEmailOtp(request, pass)) ??
      (await resendConfirmation({ request, database, siteUrl: options.siteUrl, sendMail }, pass)) ??
      (await answerSecondFactor({ request, database, address, sendText }, pass)) ??
      answerIdentities(request) ??
      (await refuseManaged(request, database)) ??
      (await signInByPhone({ request, database, sendText }, pass)) ??
      (await changePhone(
        { request, database, siteUrl: options.siteUrl, sendText, sendMail },
        pass,
      )) ??
      (await changeEmail(request, database, pass, options.sendMail)) ??
      (await pass(request));
    return turns.together(() =>
      withQuietErrors(async () =>
        withAssurance(request, await withGoogleFake(google, answer), database, keys.sign, address),
      ),
    );
  }).catch(async (error) => {
    await connection.close();
    throw error;
  });

  return {
    url: server.url,
    async reset() {
      keys.setKeyPair(false);
      refusals.clear();
      rateLimits.reset();
      mailLimits.reset();
      singleSignOn.reset();
      await turns.alone(() => emptyTables(database));
    },
    async query<Row>(sql: string, parameters: unknown[] = []) {
      return (await database.query<Row>(sql, parameters)).rows;
    },
    async close() {
      await server.close();
      await connection.close();
    },
  };
}

/** Linking and unlinking identities by a signed-in person is off, as in supabase/config.toml. */
function answerIdentities(request: Request): Response | undefined {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith("/auth/v1/user/identities/")) return;
  return refusal(404, "manual_linking_disabled", "Manual linking is disabled");
}
