import { linkWords } from "../../../app/content/link-words.ts";
import {
  nothingReadable,
  signInUnavailable,
} from "../../../app/features/auth/session/sign-in-problems.ts";
import { type Answered, none, open, type RouteCase } from "./route-case.ts";

const noSignIn: Answered = [503, nothingReadable];
const subscription: Answered = [503, "Your subscription cannot be read right now."];
const billing: Answered = [503, "Your billing cannot be read right now."];
const lastKnown: Answered = [503, "What you see is the last known state."];
const plan: Answered = [503, "so your plan cannot be shown here. It goes on as it is."];
/** The page has words for those whose plan is not known. */
const unknownPlan: Answered = [200, '{"plan":null}'];
const deployments: Answered = [503, "Your deployments cannot be read right now."];
const oneDeployment: Answered = [503, "Your deployment cannot be read right now."];
const unread: Answered = [503, "cannot be read right now."];
const payment: Answered = [503, "We could not reach Stripe to verify your payment."];
const noTest: Answered = [503, "The test cannot be loaded right now."];
const refused = { as: "guest", usual: 405 } as const;

const deployment =
  (rest = "") =>
  ({ owner }: { owner: { deployment: string } }) =>
    `/dashboard/deployments/${owner.deployment}${rest}`;
const needsDeployments = { fails: { auth: noSignIn, database: deployments } };
const needsOne = { fails: { auth: noSignIn, database: oneDeployment } };
/** The token opens the rows by itself: who it is need not be asked again. */
const downloads = { fails: { auth: "as usual", database: deployments } } as const;
const agent = ({ owner }: { owner: { agentToken: string } }) => ({
  headers: { authorization: `Bearer ${owner.agentToken}` },
});

const program = ({ owner }: { owner: { apiToken: string } }) => ({
  headers: { authorization: `Bearer ${owner.apiToken}` },
});

/** Every address of app/routes.ts that depends on who asks, or on a provider, or has a parameter. */
export const pageCases: readonly RouteCase[] = [
  open("marketing/own-plan.ts", "/pricing/own", {
    fails: { auth: unknownPlan, database: unknownPlan },
  }),
  open("blog/article.tsx", "/blog/ports-and-firewalls", { as: "guest" }),
  open("reading/markdown-page.tsx", "/docs/limits", { as: "guest" }),
  open("contact/sent.tsx", "/contact/sent", { as: "guest" }),
  open("auth/signup.tsx", "/signup", { as: "newcomer", fails: { auth: noSignIn } }),
  open("auth/sso.tsx", "/signin/sso", { as: "guest" }),
  open("auth/signin.tsx", "/signin?next=/docs", {
    as: "newcomer",
    usual: 302,
    fails: { auth: noSignIn },
  }),
  open("auth/signout.ts", "/signout", { as: "guest", usual: 302 }),
  open("auth/end-trial.tsx", "/signout/trial", { as: "guest", usual: 302 }),
  open("auth/refresh.ts", "/auth/refresh", refused),
  open("auth/callback.ts", ({ newcomer }) => `/auth/callback?code=code-of-${newcomer.userId}`, {
    as: "guest",
    usual: 302,
  }),
  open("auth/confirm.tsx", `/auth/confirm?type=email&token_hash=${"a".repeat(56)}`, {
    as: "guest",
    fails: { database: [503, linkWords.unavailable] },
    nameless: true,
  }),
  open("auth/connected.ts", "/auth/connected?code=a-code", { as: "guest", usual: 303 }),
  open("checkout/success.tsx", ({ owner }) => `/success?session_id=${owner.session}`, {
    as: "guest",
    fails: { stripe: payment, database: payment },
  }),
  open("google-services/connection.ts", "/google-services/connection", {
    fails: { auth: noSignIn },
  }),
  open("google-services/connected.ts", "/google-services/connected?code=a-code", { usual: 303 }),
  open("google-services/call.ts", "/google-services/call/gmail/send", refused),
  open("model-configuration/own.ts", "/openai-config/own", {
    fails: { auth: noSignIn, database: [503, "Your configuration cannot be read right now."] },
  }),
  open("model-configuration/usage.ts", "/openai-config/usage", {
    fails: { auth: noSignIn, database: [503, "Your usage cannot be read right now."] },
  }),
  open("dashboard/layout.tsx", "/dashboard/account", {
    fails: { auth: noSignIn, database: "as usual" },
  }),
  open("dashboard/overview.tsx", "/dashboard", {
    fails: { auth: noSignIn, database: subscription },
  }),
  open("dashboard/billing.tsx", "/dashboard/billing", {
    fails: { auth: noSignIn, database: billing, stripe: lastKnown },
  }),
  open("dashboard/plan.tsx", "/dashboard/plan", {
    fails: { auth: noSignIn, database: plan, stripe: plan },
  }),
  open("dashboard/account.tsx", "/dashboard/account", {
    fails: { auth: noSignIn, database: "as usual" },
  }),
  open("dashboard/account-code.tsx", "/dashboard/account/code", {
    usual: 302,
    fails: { auth: noSignIn, database: "as usual" },
  }),
  open("servers/alerts.tsx", "/dashboard/alerts", { fails: { auth: noSignIn, database: unread } }),
  open("servers/incidents.tsx", "/dashboard/incidents", {
    fails: { auth: noSignIn, database: unread },
  }),
  open("servers/incident.tsx", `/dashboard/incidents/${none}`, {
    usual: 404,
    fails: { auth: noSignIn, database: unread },
  }),
  open("servers/incidents-csv.ts", "/dashboard/incidents.csv", {
    fails: { auth: "as usual", database: [503, "This workspace cannot be read right now."] },
  }),
  open("servers/server.tsx", `/dashboard/servers/${none}`, {
    usual: 404,
    fails: { auth: noSignIn, database: unread },
  }),
  open("servers/evidence.tsx", `/dashboard/servers/${none}/evidence`, {
    usual: 404,
    fails: { auth: noSignIn, database: unread },
  }),
  open("servers/evidence-csv.ts", `/dashboard/servers/${none}/evidence.csv`, {
    usual: 404,
    fails: { auth: "as usual", database: [503, "This workspace cannot be read right now."] },
  }),
  open("servers/sessions.tsx", `/dashboard/servers/${none}/sessions`, {
    usual: 404,
    fails: { auth: noSignIn, database: unread },
  }),
  open("servers/session.tsx", `/dashboard/servers/${none}/sessions/RM_nobody`, {
    usual: 404,
    fails: { auth: noSignIn, database: unread },
  }),
  open("servers/participant.tsx", `/dashboard/servers/${none}/sessions/RM_nobody/PA_nobody`, {
    usual: 404,
    fails: { auth: noSignIn, database: unread },
  }),
  open("servers/sessions-csv.ts", `/dashboard/servers/${none}/sessions.csv`, {
    usual: 404,
    fails: { auth: "as usual", database: [503, "This workspace cannot be read right now."] },
  }),
  open("servers/connect.tsx", "/dashboard/servers/connect", {
    fails: { auth: noSignIn, database: unread },
  }),
  open("dashboard/models.tsx", "/dashboard/models", {
    fails: { auth: noSignIn, database: [503, "Your configuration cannot be read right now."] },
  }),
  open("dashboard/usage.tsx", "/dashboard/usage", {
    fails: { auth: noSignIn, database: [503, "Your usage cannot be read right now."] },
  }),
  open("dashboard/missing.tsx", "/dashboard/nowhere", {
    usual: 404,
    fails: { auth: noSignIn, database: "as usual" },
  }),
  open("dashboard/account-deleted.tsx", "/account-deleted", { as: "guest" }),
  open("deployments/list.tsx", "/dashboard/deployments", needsDeployments),
  open("deployments/new.tsx", "/dashboard/deployments/new", needsDeployments),
  open("deployments/move-in.tsx", "/dashboard/deployments/move-in", needsDeployments),
  open("deployments/edit.tsx", deployment("/edit?step=network"), needsOne),
  open("deployments/edit.tsx", deployment("/edit?step=review"), {
    what: "review",
    ...needsOne,
  }),
  open("deployments/duplicate.tsx", deployment("/duplicate"), needsDeployments),
  open("deployments/delete.tsx", deployment("/delete"), needsOne),
  open("deployments/deployment.tsx", deployment(), needsDeployments),
  open("deployments/connect.tsx", deployment("/connect"), needsDeployments),
  open("deployments/call.tsx", deployment("/call"), needsDeployments),
  open("deployments/connection-test.tsx", deployment("/connection-test"), needsDeployments),
  open("deployments/rooms.tsx", deployment("/rooms"), needsDeployments),
  open("deployments/recording.tsx", deployment("/recordings/AJ_abcdefgh1234"), needsDeployments),
  open("dashboard/support.tsx", "/dashboard/support", {
    fails: { auth: noSignIn, database: [200, "Your messages cannot be read right now."] },
  }),
  open("workspaces/members.tsx", "/dashboard/members", {
    fails: { auth: noSignIn, database: [503, "This workspace cannot be read right now."] },
  }),
  open("workspaces/settings.tsx", "/dashboard/settings", {
    fails: { auth: noSignIn, database: [503, "This workspace cannot be read right now."] },
  }),
  open("workspaces/tokens.tsx", "/dashboard/tokens", {
    fails: { auth: noSignIn, database: [503, "This workspace cannot be read right now."] },
  }),
  open("workspaces/webhooks.tsx", "/dashboard/webhooks", {
    fails: { auth: noSignIn, database: [503, "This workspace cannot be read right now."] },
  }),
  open("workspaces/approvers.tsx", "/dashboard/approvers", {
    fails: { auth: noSignIn, database: [503, "This workspace cannot be read right now."] },
  }),
  open("workspaces/second-factor.tsx", "/dashboard/second-factor", {
    usual: 303,
    fails: { auth: noSignIn, database: [503, "This workspace cannot be read right now."] },
  }),
  open("workspaces/audit.tsx", "/dashboard/audit", {
    fails: { auth: noSignIn, database: [503, "This workspace cannot be read right now."] },
  }),
  open("workspaces/audit-csv.ts", "/dashboard/audit.csv", {
    fails: { auth: "as usual", database: [503, "This workspace cannot be read right now."] },
  }),
  open("workspaces/new.tsx", "/dashboard/workspaces/new", {
    fails: { auth: noSignIn, database: "as usual" },
  }),
  open("workspaces/invitation.tsx", "/invitation?token=cut-short", { as: "guest", usual: 404 }),
  open("deployments/linked-test.tsx", "/connection-test/cut-short", {
    as: "guest",
    usual: 404,
  }),
  open("deployments/embedded-test.tsx", "/connection-test/embed/cut-short", {
    as: "guest",
    usual: 404,
  }),
  open("deployments/linked-test.tsx", ({ owner }) => `/connection-test/${owner.testLink}`, {
    as: "guest",
    what: "that is open",
    fails: { database: noTest },
  }),
  open(
    "deployments/embedded-test.tsx",
    ({ owner }) => `/connection-test/embed/${owner.testEmbed}`,
    {
      as: "guest",
      what: "that is open",
      fails: { database: noTest },
    },
  ),
  open("servers/acknowledge.tsx", "/acknowledge?link=cut-short", { as: "guest", usual: 404 }),
  open("deployments/versions.tsx", deployment("/versions"), needsDeployments),
  open("deployments/names.ts", "/deployments/names", {
    fails: { auth: [503, signInUnavailable], database: deployments },
  }),
  open("deployments/file.ts", deployment("/files/livekit.yaml"), downloads),
  open("deployments/bundle-zip.ts", deployment("/bundle.zip"), downloads),
  open("api/create-checkout-session.ts", "/api/create-checkout-session", refused),
  open("api/stripe-webhook.ts", "/api/stripe/webhook", refused),
  open("api/model-config.ts", "/api/model-config", {
    as: "guest",
    init: agent,
    fails: { database: [503, "This could not be served right now."] },
  }),
  open("api/token-usage.ts", "/api/token-usage", refused),
  open("api/workspace-api.ts", "/api/v1/deployments", {
    as: "guest",
    init: program,
    fails: { database: [503, "This could not be served right now."] },
  }),
  open("api/csp-reports.ts", "/csp-reports", refused),
];
