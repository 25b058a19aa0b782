import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** A page that is one markdown file of `app/content`. Several routes share the module, so each has an id. */
const markdownPage = (path: string) =>
  route(path, "routes/reading/markdown-page.tsx", { id: `markdown/${path}` });

/**
 * The pages of a workspace. They are mounted twice: at /dashboard for the personal one, and by its name for each. A
 * module that several routes share needs ids of them.
 */
const workspacePages = (mount: string) => [
  index("routes/dashboard/overview.tsx", { id: `${mount}/dashboard/overview` }),
  ...[
    ["models", "dashboard/models.tsx"],
    ["usage", "dashboard/usage.tsx"],
    ["billing", "dashboard/billing.tsx"],
    ["plan", "dashboard/plan.tsx"],
    ["support", "dashboard/support.tsx"],
    ["members", "workspaces/members.tsx"],
    ["settings", "workspaces/settings.tsx"],
    ["audit", "workspaces/audit.tsx"],
    ["tokens", "workspaces/tokens.tsx"],
    ["webhooks", "workspaces/webhooks.tsx"],
    ["approvers", "workspaces/approvers.tsx"],
    ["second-factor", "workspaces/second-factor.tsx"],
    ["deployments", "deployments/list.tsx"],
    ["deployments/new", "deployments/new.tsx"],
    ["deployments/move-in", "deployments/move-in.tsx"],
    ["deployments/:id/edit", "deployments/edit.tsx"],
    ["deployments/:id/duplicate", "deployments/duplicate.tsx"],
    ["deployments/:id/delete", "deployments/delete.tsx"],
    ["deployments/:id", "deployments/deployment.tsx"],
    ["deployments/:id/unsaved", "deployments/unsaved.ts"],
    ["deployments/:id/versions", "deployments/versions.tsx"],
    ["deployments/:id/connect", "deployments/connect.tsx"],
    ["deployments/:id/call", "deployments/call.tsx"],
    ["deployments/:id/connection-test", "deployments/connection-test.tsx"],
    ["deployments/:id/rooms", "deployments/rooms.tsx"],
    ["deployments/:id/recordings/:job", "deployments/recording.tsx"],
    ["servers/connect", "servers/connect.tsx"],
    ["servers/:id", "servers/server.tsx"],
    ["servers/:id/sessions", "servers/sessions.tsx"],
    ["servers/:id/evidence", "servers/evidence.tsx"],
    ["servers/:id/sessions/:session", "servers/session.tsx"],
    ["servers/:id/sessions/:session/:participant", "servers/participant.tsx"],
    ["incidents", "servers/incidents.tsx"],
    ["incidents/:id", "servers/incident.tsx"],
    ["alerts", "servers/alerts.tsx"],
    ["*", "dashboard/missing.tsx"],
  ].map(([path = "", file]) => route(path, `routes/${file}`, { id: `${mount}/${file}` })),
];

/** What a workspace's pages let somebody download. */
const workspaceFiles = (base: string, mount: string) => [
  route(`${base}/deployments/:id/files/:name`, "routes/deployments/file.ts", {
    id: `${mount}/deployments/file`,
  }),
  route(`${base}/deployments/:id/bundle.zip`, "routes/deployments/bundle-zip.ts", {
    id: `${mount}/deployments/bundle-zip`,
  }),
  route(`${base}/servers/:id/sessions.csv`, "routes/servers/sessions-csv.ts", {
    id: `${mount}/sessions-csv`,
  }),
  route(`${base}/servers/:id/evidence.csv`, "routes/servers/evidence-csv.ts", {
    id: `${mount}/evidence-csv`,
  }),
  route(`${base}/incidents.csv`, "routes/servers/incidents-csv.ts", {
    id: `${mount}/incidents-csv`,
  }),
  route(`${base}/audit.csv`, "routes/workspaces/audit-csv.ts", { id: `${mount}/audit-csv` }),
];

/** Every URL of the product. */
export default [
  index("routes/marketing/home.tsx"),
  route("pricing", "routes/marketing/pricing.tsx"),
  route("pricing/own", "routes/marketing/own-plan.ts"),
  route("try", "routes/marketing/try.tsx"),
  route("support", "routes/marketing/support.tsx"),
  route("contact", "routes/contact/contact.tsx"),
  route("contact/sent", "routes/contact/sent.tsx"),
  route("spotlight", "routes/marketing/spotlight.tsx"),
  route("cloud-architecture", "routes/marketing/cloud-architecture.tsx"),
  route("proof", "routes/marketing/proof.tsx"),
  route("faq", "routes/marketing/faq.tsx"),
  route("audit", "routes/marketing/audit.tsx"),

  route("services", "routes/marketing/services.tsx"),
  route("google-services", "routes/marketing/google-services.tsx"),
  route("google-services/connection", "routes/google-services/connection.ts"),
  route("google-services/connected", "routes/google-services/connected.ts"),
  route("google-services/call/:tool/:tab", "routes/google-services/call.ts"),
  route("openai-config", "routes/marketing/model-configuration.tsx"),
  route("openai-config/own", "routes/model-configuration/own.ts"),
  route("openai-config/usage", "routes/model-configuration/usage.ts"),

  route("docs", "routes/reading/docs-overview.tsx"),
  markdownPage("docs/:page"),
  route("blog", "routes/blog/index.tsx"),
  route("blog/rss.xml", "routes/blog/rss.ts"),
  route("blog/:slug", "routes/blog/article.tsx"),
  markdownPage("about"),
  markdownPage("careers"),
  markdownPage("privacy"),
  markdownPage("terms"),
  markdownPage("cookies"),
  markdownPage("license"),

  route("signup", "routes/auth/signup.tsx"),
  route("signin", "routes/auth/signin.tsx"),
  route("signin/sso", "routes/auth/sso.tsx"),
  route("signout", "routes/auth/signout.ts"),
  route("signout/trial", "routes/auth/end-trial.tsx"),
  route("auth/refresh", "routes/auth/refresh.ts"),
  route("auth/callback", "routes/auth/callback.ts"),
  route("auth/connected", "routes/auth/connected.ts"),
  route("auth/confirm", "routes/auth/confirm.tsx"),
  route("success", "routes/checkout/success.tsx"),

  route("dashboard", "routes/dashboard/layout.tsx", [
    route("account", "routes/dashboard/account.tsx"),
    route("account/code", "routes/dashboard/account-code.tsx"),
    route("workspaces/new", "routes/workspaces/new.tsx"),
    ...workspacePages("own"),
  ]),
  ...workspaceFiles("dashboard", "own"),
  route("dashboard/w/:slug", "routes/dashboard/layout.tsx", { id: "named" }, [
    ...workspacePages("named"),
  ]),
  ...workspaceFiles("dashboard/w/:slug", "named"),
  route("deployments/names", "routes/deployments/names.ts"),
  route("invitation", "routes/workspaces/invitation.tsx"),
  route("acknowledge", "routes/servers/acknowledge.tsx"),
  route("connection-test/:link", "routes/deployments/linked-test.tsx"),
  route("connection-test/embed/:embed", "routes/deployments/embedded-test.tsx"),
  route("account-deleted", "routes/dashboard/account-deleted.tsx"),

  route("api/create-checkout-session", "routes/api/create-checkout-session.ts"),
  route("api/stripe/webhook", "routes/api/stripe-webhook.ts"),
  route("api/model-config", "routes/api/model-config.ts"),
  route("api/token-usage", "routes/api/token-usage.ts"),
  route("api/v1/*", "routes/api/workspace-api.ts"),
  route("csp-reports", "routes/api/csp-reports.ts"),
  route("llms.txt", "routes/site-files/llms.ts"),
  route("robots.txt", "routes/site-files/robots.ts"),
  route("sitemap.xml", "routes/site-files/sitemap.ts"),
  route(".well-known/security.txt", "routes/site-files/security.ts"),
  route("healthz", "routes/api/healthz.ts"),
] satisfies RouteConfig;
