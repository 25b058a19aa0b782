import { afterAll, beforeAll, inject } from "vitest";
import type { Variables } from "../../../fakes/dev-vars.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { startFakes } from "../../../fakes/start-fakes.ts";
import { googleCallbackUrl, localGoogleClient } from "../../../fakes/supabase/fake.ts";
import { plainText } from "../../../fakes/supabase/plain-text.ts";
import { startWorker } from "../../../scripts/lib/worker.ts";
import { fakes as addressesOfFakes } from "../../support/site/control-fakes.ts";
import { portBase, siteUrl } from "../../support/site/own-site.ts";
import { startAuthServer } from "./servers/auth-server.ts";
import { databasesAt } from "./servers/databases.ts";
import { startGateway } from "./servers/gateway.ts";
import { startGoogleOverTls } from "./servers/google-over-tls.ts";
import { startMailSink } from "./servers/mail-sink.ts";
import { realPorts } from "./servers/ports.ts";
import { projectKeys, type Signing } from "./servers/project-keys.ts";
import { serverVariables } from "./servers/project-settings.ts";
import { startRestSide } from "./servers/rest-side.ts";
import { serveTemplates } from "./servers/templates.ts";
import { template } from "./setup.ts";

export interface RealOptions {
  /** How the project signs tokens; by default with a key pair. */
  signing?: Signing;
  /** Settings of the auth server besides those of supabase/config.toml. */
  auth?: Record<string, string>;
  /** Variables of the site besides those of every test. */
  site?: Variables;
  /** What the auth server reads at other hosts, such as an identity provider's metadata. */
  documents?: Readonly<Record<string, string>>;
}

let projects = 0;

/**
 * The site on a project of its own: the real auth server and the real database behind a gateway as
 * Supabase has it, and fakes for Google, Stripe and the inbox. `await using` ends it.
 */
export async function startRealSite({
  signing = "ES256",
  auth = {},
  site = {},
  documents = {},
}: RealOptions = {}) {
  const { authServer: program, postgresPort } = inject("real");
  const { supabase, google, mail } = addressesOfFakes();
  const ports = realPorts(portBase);
  const variables = { ...exampleVariables({ siteUrl, portBase }), ...site };
  const { SUPABASE_PUBLISHABLE_KEY: publishableKey = "", SUPABASE_SECRET_KEY: secretKey = "" } =
    variables;
  const databases = databasesAt(postgresPort);
  const database = `project_${++projects}`;
  await databases.copy(template, database);

  const texts: { to: string; text: string }[] = [];
  await using started = new AsyncDisposableStack();
  const fakes = await startFakes({
    // The Supabase that is not at its usual place gets no fake.
    variables: { ...variables, SUPABASE_URL: "real" },
    siteUrl,
    portBase,
  });
  started.defer(() => fakes.close());
  const sink = started.use(
    await startMailSink(ports.mail, async ({ to, subject, html }) => {
      await fetch(`${mail.url}/emails`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${variables.RESEND_API_KEY}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({
          from: "auth@example.com",
          to,
          subject,
          html,
          text: plainText(html),
        }),
      });
    }),
  );
  const templates = await serveTemplates(ports.templates);
  started.defer(() => templates.close());
  const googleProxy = started.use(
    await startGoogleOverTls(
      ports.google,
      google.url,
      (to, text) => {
        texts.push({ to, text });
      },
      documents,
    ),
  );
  const keys = projectKeys(signing);
  const authServer = started.use(
    await startAuthServer(program, {
      databaseUrl: databases.url("supabase_auth_admin", database),
      port: ports.authServer,
      readable: [googleProxy.folder],
      environment: {
        ...serverVariables(siteUrl, templates.url),
        ...platformVariables(supabase.url, sink.port),
        ...keys.environment,
        ...googleProxy.environment,
        ...auth,
      },
    }),
  );
  const rest = started.use(
    await startRestSide({
      databaseUrl: databases.url("authenticator", database),
      publicUrl: supabase.url,
      publishableKey,
      secretKey,
      keys,
    }),
  );
  const gateway = started.use(
    await startGateway({
      port: supabase.port,
      authUrl: authServer.url,
      rest: rest.answer,
      publishableKey,
      secretKey,
      keys,
      googleUrl: google.url,
    }),
  );
  const worker = started.use(await startWorker(Number(new URL(siteUrl).port), () => variables));
  const transferred = started.move();
  return {
    /** Runs SQL past row-level security. */
    query: <Row extends object>(sql: string, parameters?: unknown[]) =>
      databases.run<Row>(database, sql, parameters),
    /** The texts that went to a provider, the oldest first. */
    texts,
    authRequests: gateway.requests,
    authLog: authServer.lines,
    takeLogs: worker.takeLogs,
    /** Goes on in another isolate, which remembers nothing, as after the time that answers are kept for. */
    forgetAnswers: () => worker.reconfigure(variables),
    [Symbol.asyncDispose]: () => transferred.disposeAsync(),
  };
}

export type RealSite = Awaited<ReturnType<typeof startRealSite>>;

/** One such site for the whole file. Answers how to reach it, from inside a test. */
export function oneRealSite(options: RealOptions = {}): () => RealSite {
  let site: RealSite | undefined;
  beforeAll(async () => {
    site = await startRealSite(options);
  });
  afterAll(() => site?.[Symbol.asyncDispose]());
  return () => {
    if (!site) throw new Error("The real site starts before the file's first test, not earlier.");
    return site;
  };
}

/** What the platform sets, whatever a project's own settings are. */
function platformVariables(url: string, smtpPort: number): Record<string, string> {
  return {
    API_EXTERNAL_URL: `${url}/auth/v1`,
    GOTRUE_JWT_ISSUER: `${url}/auth/v1`,
    GOTRUE_SECURITY_SB_FORWARDED_FOR_ENABLED: "true",
    GOTRUE_RATE_LIMIT_HEADER: "X-Forwarded-For",
    GOTRUE_SMTP_HOST: "127.0.0.1",
    GOTRUE_SMTP_PORT: String(smtpPort),
    GOTRUE_SMTP_ADMIN_EMAIL: "auth@example.com",
    GOTRUE_SMTP_SENDER_NAME: "LiveKit Deploy",
    GOTRUE_EXTERNAL_GOOGLE_ENABLED: "true",
    GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: localGoogleClient.id,
    GOTRUE_EXTERNAL_GOOGLE_SECRET: localGoogleClient.secret,
    GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI: googleCallbackUrl(url),
  };
}
