import type { Right } from "../../../../app/platform/database/role-rights.ts";

/**
 * Whose a page or an answer is. What is `public` is the same for everybody, or asks for a program's own proof, and what
 * is a `person`'s is theirs whatever their role is somewhere. A `workspace`'s is read by members with the right, and
 * `says` something of it. With `alsoSays` it says more to those with another right.
 */
export type PageLine =
  | { of: "public" | "person" }
  | {
      of: "workspace";
      readWith: Right;
      says: RegExp;
      alsoSays?: { to: Right; words: RegExp };
    };

const ofPublic: PageLine = { of: "public" };
const ofPerson: PageLine = { of: "person" };
const ofWorkspace = (
  says: RegExp,
  more: { readWith?: Right; alsoSays?: { to: Right; words: RegExp } } = {},
): PageLine => ({ of: "workspace", readWith: "see", says, ...more });

const server = /Okapi server/;
const token = /Okapi token/;

/** Pages that are there twice: at /dashboard, and by the name of a workspace. */
const consolePages: Readonly<Record<string, PageLine>> = {
  "dashboard/overview.tsx": ofWorkspace(/okapi\.example\.com/),
  "dashboard/models.tsx": ofWorkspace(token),
  "dashboard/usage.tsx": ofWorkspace(/okapi-identity/),
  "dashboard/billing.tsx": ofWorkspace(/Okapi team/, {
    alsoSays: { to: "billing", words: /4242|founder@example\.com/ },
  }),
  "dashboard/plan.tsx": ofWorkspace(/Okapi team/, {
    alsoSays: { to: "billing", words: /sub_\w+/ },
  }),
  "dashboard/support.tsx": ofWorkspace(server),
  "workspaces/members.tsx": ofWorkspace(/founder@example\.com/, {
    alsoSays: { to: "members", words: /okapi\.guest@example\.com/ },
  }),
  "workspaces/settings.tsx": ofWorkspace(/Okapi team/),
  "workspaces/audit.tsx": ofWorkspace(/Okapi team/, {
    alsoSays: { to: "audit", words: /okapi\.guest@example\.com/ },
  }),
  "workspaces/audit-csv.ts": ofWorkspace(server, { readWith: "audit" }),
  "workspaces/approvers.tsx": ofWorkspace(/Okapi team/, {
    alsoSays: { to: "rollout", words: /Okapi passkey/ },
  }),
  "workspaces/tokens.tsx": ofWorkspace(/Okapi team/, {
    alsoSays: { to: "settings", words: /Okapi CI/ },
  }),
  "workspaces/webhooks.tsx": ofWorkspace(/Okapi team/, {
    alsoSays: { to: "settings", words: /Add a webhook/ },
  }),
  "deployments/list.tsx": ofWorkspace(server, {
    alsoSays: { to: "describe", words: /Okapi and deleted/ },
  }),
  "deployments/new.tsx": ofWorkspace(/Okapi team/),
  "deployments/move-in.tsx": ofWorkspace(/Okapi team/),
  "deployments/edit.tsx": ofWorkspace(server),
  "deployments/duplicate.tsx": ofWorkspace(server),
  "deployments/delete.tsx": ofWorkspace(server),
  "deployments/deployment.tsx": ofWorkspace(server, {
    alsoSays: { to: "download", words: /LiveKit at new\.okapi/ },
  }),
  "deployments/versions.tsx": ofWorkspace(server, {
    alsoSays: { to: "download", words: /livekit\.yaml/ },
  }),
  "deployments/connect.tsx": ofWorkspace(/okapi\.example\.com/),
  "deployments/call.tsx": ofWorkspace(/okapi\.example\.com/),
  "deployments/connection-test.tsx": ofWorkspace(/okapi\.example\.com/),
  "deployments/rooms.tsx": ofWorkspace(/okapi\.example\.com/),
  "deployments/recording.tsx": ofWorkspace(/okapi\.example\.com/),
  "servers/connect.tsx": ofWorkspace(/Okapi team/),
  "servers/server.tsx": ofWorkspace(/okapi\.example\.com/),
  "servers/evidence.tsx": ofWorkspace(/0f0f0f/),
  "servers/evidence-csv.ts": ofWorkspace(/0f0f0f/),
  "servers/sessions.tsx": ofWorkspace(/0a1b2c/),
  "servers/session.tsx": ofWorkspace(/0a1b2c/),
  "servers/participant.tsx": ofWorkspace(/0a1b2c/),
  "servers/sessions-csv.ts": ofWorkspace(/0a1b2c/),
  "servers/incidents.tsx": ofWorkspace(server),
  "servers/incident.tsx": ofWorkspace(/okapi does not answer/),
  "servers/incidents-csv.ts": ofWorkspace(/okapi does not answer/),
  "servers/alerts.tsx": ofWorkspace(/fo(…|under)@example\.com/, {
    alsoSays: { to: "alerts", words: /founder@example\.com/ },
  }),
  "deployments/file.ts": ofWorkspace(/rtc:/, { readWith: "download" }),
  "deployments/bundle-zip.ts": ofWorkspace(/^PK/, { readWith: "download" }),
};

/** What names its workspace in the query. */
const outside: Readonly<Record<string, PageLine>> = {
  "deployments/names.ts": ofWorkspace(server),
  "model-configuration/own.ts": ofWorkspace(token),
  "model-configuration/usage.ts": ofWorkspace(/okapi-identity/),
};

const all = (line: PageLine, moduleNames: string): Record<string, PageLine> =>
  Object.fromEntries(
    moduleNames
      .trim()
      .split(/\s+/)
      .map((module) => [module, line]),
  );

/** Every route that answers a GET, by its module. The line of a new one says who reads it. */
export const pageLines: Readonly<Record<string, PageLine>> = {
  ...consolePages,
  ...outside,
  ...all(
    ofPerson,
    `dashboard/layout.tsx dashboard/account.tsx dashboard/account-code.tsx
     dashboard/account-deleted.tsx dashboard/missing.tsx workspaces/new.tsx workspaces/second-factor.tsx
     workspaces/invitation.tsx marketing/own-plan.ts google-services/connected.ts
     checkout/success.tsx auth/signup.tsx auth/signin.tsx auth/sso.tsx auth/callback.ts auth/connected.ts
     auth/confirm.tsx auth/end-trial.tsx`,
  ),
  ...all(
    ofPublic,
    `servers/acknowledge.tsx deployments/linked-test.tsx deployments/embedded-test.tsx api/create-checkout-session.ts api/csp-reports.ts api/healthz.ts api/model-config.ts
     api/stripe-webhook.ts api/token-usage.ts api/workspace-api.ts auth/refresh.ts auth/signout.ts blog/article.tsx
     blog/index.tsx blog/rss.ts contact/contact.tsx contact/sent.tsx google-services/call.ts
     google-services/connection.ts marketing/cloud-architecture.tsx marketing/faq.tsx
     marketing/google-services.tsx marketing/home.tsx marketing/model-configuration.tsx
     marketing/pricing.tsx marketing/services.tsx marketing/spotlight.tsx marketing/support.tsx marketing/try.tsx
     marketing/audit.tsx
     marketing/proof.tsx reading/docs-overview.tsx reading/markdown-page.tsx site-files/llms.ts site-files/robots.ts
     site-files/security.ts site-files/sitemap.ts`,
  ),
};
