import { signInUnavailable } from "../../../app/features/auth/session/sign-in-problems.ts";
import { somethingWentWrong } from "../../../app/features/billing/checkout/checkout-messages.ts";
import { refusalWords } from "../../../app/features/billing/plan-change/outcome.ts";
import { roleUnreadable } from "../../../app/features/workspaces/roles.ts";
import { prices } from "../billing/stripe-account.ts";
import { deliver } from "../billing/webhook-delivery.ts";
import { type Answered, type Fields, none, post, type RouteCase } from "./route-case.ts";

const noSignIn: Answered = [503, signInUnavailable];
const noCheckout: Answered = [502, somethingWentWrong];
const asksForAll = {
  auth: noSignIn,
  database: [503, roleUnreadable] as Answered,
  stripe: noCheckout,
};
const noPortal: Answered = [303, "/dashboard?notice=portal-unavailable"];
const planUnsure: Answered = [502, refusalWords.unavailable];
const notRead: Answered = [502, "What you see is the last known state."];
const noSubscription: Answered = [503, "Your subscription cannot be read right now."];
const unreadable: Answered = [503, "Please try again in a moment."];

/** What buys or pays. */
const money: readonly RouteCase[] = [
  post(
    "marketing/pricing.tsx",
    "/pricing",
    ({ newcomer }) => ({
      plan: "basic",
      attempt: newcomer.attempt,
    }),
    { as: "guest", what: "as a guest", fails: { stripe: noCheckout } },
  ),
  post(
    "marketing/pricing.tsx",
    "/pricing",
    { plan: "basic" },
    {
      as: "newcomer",
      what: "with an account",
      fails: asksForAll,
    },
  ),
  post(
    "auth/signup.tsx",
    "/signup",
    { option: "monthly" },
    { as: "newcomer", fails: { ...asksForAll, database: [503, somethingWentWrong] } },
  ),
  post(
    "api/create-checkout-session.ts",
    "/api/create-checkout-session",
    {},
    {
      as: "newcomer",
      usual: 200,
      fails: asksForAll,
      init: ({ newcomer }) => ({
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ priceId: prices.monthly, userId: newcomer.userId }),
      }),
    },
  ),
  post(
    "dashboard/overview.tsx",
    "/dashboard?index",
    {},
    {
      usual: 200,
      fails: { auth: noSignIn, database: noSubscription, stripe: notRead },
    },
  ),
  post(
    "dashboard/billing.tsx",
    "/dashboard/billing",
    {},
    {
      // Without the auth server the address behind the refusal could not be shown either.
      fails: { auth: noSignIn, database: noPortal, stripe: noPortal },
    },
  ),
  ...["card", "resume"].map((intent) =>
    post(
      "dashboard/plan.tsx",
      "/dashboard/plan",
      ({ owner }) => ({ intent, subscription: owner.subscription }),
      {
        what: intent,
        fails: { auth: noSignIn, database: [503, roleUnreadable], stripe: planUnsure },
      },
    ),
  ),
  {
    route: "api/stripe-webhook.ts",
    method: "POST",
    usual: 200,
    fails: { database: [500, "Not handled"], stripe: [500, "Not handled"] },
    send: ({ owner }) => deliver(owner.event, { siteUrl: owner.browser.siteUrl }),
  },
];

const connect = (fields: Fields) =>
  post("servers/connect.tsx", "/dashboard/servers/connect", fields, {
    usual: 200,
    fails: { auth: noSignIn, database: unreadable },
  });

const message = { name: "Ada", topic: "sales", message: "How many servers does Pro deploy?" };

export const formCases: readonly RouteCase[] = [
  ...money,
  post(
    "contact/contact.tsx",
    "/contact",
    ({ newcomer }) => ({ ...message, email: newcomer.email }),
    {
      as: "guest",
      fails: { database: [503, "We could not store your message"], mail: "as usual" },
    },
  ),
  post(
    "dashboard/support.tsx",
    "/dashboard/support",
    { topic: "support", deployment: "", message: message.message },
    {
      as: "newcomer",
      fails: {
        auth: noSignIn,
        database: [503, "Your message could not be stored right now"],
        mail: "as usual",
      },
    },
  ),
  post(
    "servers/alerts.tsx",
    "/dashboard/alerts",
    { intent: "of no form" },
    { usual: 400, fails: { auth: noSignIn, database: unreadable } },
  ),
  post(
    "servers/server.tsx",
    `/dashboard/servers/${none}`,
    { intent: "snooze" },
    { usual: 404, fails: { auth: noSignIn, database: unreadable } },
  ),
  connect({ intent: "connect", name: "media-1" }),
  connect({ intent: "revoke" }),
  post(
    "servers/acknowledge.tsx",
    "/acknowledge?link=cut-short",
    { act: "acknowledge" },
    {
      as: "guest",
      usual: 404,
    },
  ),
  post(
    "deployments/bundle-zip.ts",
    ({ owner }) => `/dashboard/deployments/${owner.deployment}/bundle.zip`,
    {},
    { usual: 200, fails: { auth: noSignIn, database: [503, roleUnreadable] } },
  ),
  post(
    "api/csp-reports.ts",
    "/csp-reports",
    {},
    {
      as: "guest",
      usual: 204,
      init: {
        headers: { "content-type": "application/csp-report" },
        body: JSON.stringify({ "csp-report": { "effective-directive": "script-src-elem" } }),
      },
    },
  ),
];
