import { accountFailures } from "../../../app/content/account.ts";
import { linkWords } from "../../../app/content/link-words.ts";
import { signInFailures } from "../../../app/content/sign-in-labels.ts";
import { signInUnavailable } from "../../../app/features/auth/session/sign-in-problems.ts";
import { somethingWentWrong } from "../../../app/features/billing/checkout/checkout-messages.ts";
import { refusalWords } from "../../../app/features/billing/plan-change/outcome.ts";
import { roleUnreadable } from "../../../app/features/workspaces/roles.ts";
import { tooOften } from "../../../app/http/rate-limit.server.ts";
import { codeRequestCookieOf } from "../auth/code-request.ts";
import { prices } from "../billing/stripe-account.ts";
import { deliver } from "../billing/webhook-delivery.ts";
import { Visitor } from "../site/visitor.ts";
import { type Answered, post, type RouteCase } from "./route-case.ts";
import { password } from "./users.ts";

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
const stays: Answered = [303, "notice=not-signed-out"];

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

type SignIn = { usual?: number; database?: Answered | "as usual"; nameless?: true } & Pick<
  NonNullable<Parameters<typeof post>[3]>,
  "cookie"
>;

/** The auth server's own limit is answered like ours. */
const slower = { auth: { "too many": [429, tooOften] } } as const;
const away: Answered = [503, signInFailures.unavailable.slice(0, 39)];

/** A view of the sign-in form. What is typed is in the newcomer's name. */
function view(intent: string, fields: Record<string, string>, way: SignIn = {}): RouteCase {
  const { usual = 200, database, nameless, cookie } = way;
  return post(
    "auth/signin.tsx",
    "/signin",
    ({ newcomer }) => ({
      intent,
      ...(intent === "provider" ? {} : { email: newcomer.email }),
      ...fields,
    }),
    {
      as: "guest",
      what: intent,
      usual,
      fails: { auth: away, ...(database && { database }) },
      ...(nameless ? {} : { unless: slower }),
      ...(nameless && { nameless }),
      ...(cookie && { cookie }),
    },
  );
}

const session: readonly RouteCase[] = [
  view("provider", { provider: "google" }, { usual: 303, nameless: true }),
  view("sign_in", { password }, { usual: 303, database: "as usual" }),
  view("sign_up", { password }, { database: away }),
  view("resend_confirmation", {}, { database: away }),
  view("forgotten_password", {}, { database: away }),
  view("magic_link", {}, { database: away }),
  view(
    "verify_code",
    { code: "123456", kind: "email" },
    {
      usual: 400,
      database: away,
      cookie: ({ newcomer }) => codeRequestCookieOf({ to: newcomer.email, kind: "email" }, 600),
    },
  ),
  post("auth/refresh.ts", "/auth/refresh", {}, { usual: 200, fails: { auth: noSignIn } }),
  post(
    "auth/confirm.tsx",
    "/auth/confirm",
    { type: "email", token_hash: "a".repeat(56) },
    {
      as: "guest",
      what: "a link of nobody",
      usual: 400,
      fails: { database: [503, linkWords.unavailable] },
      nameless: true,
    },
  ),
  {
    route: "auth/confirm.tsx",
    method: "POST",
    what: "one's own link",
    usual: 303,
    fails: { auth: away, database: [503, linkWords.unavailable] },
    unless: slower,
    nameless: true,
    async send({ newcomer }) {
      const guest = new Visitor(newcomer.browser.siteUrl);
      const link = new URL(await newcomer.mailLink(), guest.siteUrl);
      return guest.post("/auth/confirm", Object.fromEntries(link.searchParams));
    },
  },
  post(
    "auth/signout.ts",
    "/signout",
    { scope: "others" },
    {
      as: "newcomer",
      what: "others",
      fails: { auth: stays },
    },
  ),
];

/** One form of the account page. */
const account = (
  intent: string,
  fields: Record<string, string>,
  { usual = 303, ...counts }: { usual?: number; database?: Answered | "as usual" } = {},
) =>
  post(
    "dashboard/account.tsx",
    "/dashboard/account",
    ({ newcomer }) => ({
      intent,
      // Only so many mails go to one address.
      ...(intent === "change_email" && { email: `new.${newcomer.email}` }),
      ...fields,
    }),
    {
      as: "newcomer",
      what: intent,
      usual,
      fails: { auth: noSignIn, ...counts },
    },
  );

/** The page behind the form shows devices and recovery codes where the database answers. */
const readable = { database: "as usual" } as const;
const notDone = { database: [503, accountFailures.unavailable] } as const;
const none = "00000000-0000-4000-8000-000000000000";
const yourAccount: readonly RouteCase[] = [
  account("change_email", {}, { database: away }),
  // Refused where the site takes no codes by text message, before anybody is asked.
  account("change_phone", { phone: "+491511234567" }, { usual: 400, ...readable }),
  account(
    "finish_phone_change",
    { phone: "+491511234567", code: "123456" },
    { usual: 400, ...readable },
  ),
  account("change_password", { password: `${password}, softly` }, notDone),
  account("link", { provider: "google" }),
  account("unlink", { identity: none }, { usual: 400, ...notDone }),
  account("enrol", { name: "Phone" }, { usual: 200, ...readable }),
  account(
    "finish_enrolment",
    { factorId: none, code: "123456", secret: "A".repeat(32) },
    { usual: 400, ...readable },
  ),
  account("enrol_phone", { phone: "+491511234567" }, { usual: 200, database: away }),
  account(
    "finish_phone",
    { factorId: none, challengeId: none, code: "123456" },
    { usual: 400, ...readable },
  ),
  account("remove_factor", { factorId: none }, { usual: 400, ...readable }),
  account("renew_codes", {}, { usual: 400, ...notDone }),
  account("end_session", { session: none }, { usual: 400, ...notDone }),
  post(
    "dashboard/account-code.tsx",
    "/dashboard/account/code",
    { code: "123456" },
    {
      as: "newcomer",
      fails: { auth: noSignIn },
    },
  ),
];

/** What ends a session or an account comes last: after it there is nobody to go on. */
export const endingCases: readonly RouteCase[] = [
  post(
    "dashboard/account.tsx",
    "/dashboard/account",
    ({ owner }) => ({
      intent: "delete",
      confirmation: owner.email,
    }),
    {
      what: "delete",
      fails: {
        auth: noSignIn,
        database: [503, accountFailures.unavailable],
        stripe: [502, accountFailures.stripe],
        google: "as usual",
      },
    },
  ),
  post(
    "auth/signout.ts",
    "/signout",
    { scope: "global" },
    {
      as: "newcomer",
      what: "global",
      fails: { auth: stays },
    },
  ),
];

const message = { name: "Ada", topic: "sales", message: "How many servers does Pro deploy?" };

export const formCases: readonly RouteCase[] = [
  ...money,
  ...session,
  ...yourAccount,
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
    "/dashboard/servers/of-nobody",
    { intent: "snooze" },
    { usual: 404, fails: { auth: noSignIn, database: unreadable } },
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
