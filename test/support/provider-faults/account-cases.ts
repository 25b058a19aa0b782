import { accountFailures } from "../../../app/content/account.ts";
import { linkWords } from "../../../app/content/link-words.ts";
import { signInFailures } from "../../../app/content/sign-in-labels.ts";
import { trialRefusals } from "../../../app/content/trial.ts";
import { signInUnavailable } from "../../../app/features/auth/session/sign-in-problems.ts";
import { tooOften } from "../../../app/http/rate-limit.server.ts";
import { codeRequestCookieOf } from "../auth/code-request.ts";
import { Visitor } from "../site/visitor.ts";
import { type Answered, none, post, type RouteCase } from "./route-case.ts";
import { newEmailOf, password } from "./users.ts";

const noSignIn: Answered = [503, signInUnavailable];
const stays: Answered = [303, "notice=not-signed-out"];

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
  post("auth/sso.tsx", "/signin/sso", ({ newcomer }) => ({ email: newcomer.email }), {
    as: "guest",
    what: "of a domain of nobody",
    usual: 404,
    fails: { database: away },
  }),
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

const noTrial: Answered = [503, trialRefusals.unavailable];
const trial = post(
  "marketing/try.tsx",
  "/try",
  {},
  {
    as: "guest",
    fails: { auth: noTrial, database: noTrial },
    unless: { auth: { "too many": [429, trialRefusals.limit] } },
    nameless: true,
  },
);

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
      ...(intent === "change_email" && { email: newEmailOf(newcomer.email) }),
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
const yourAccount: readonly RouteCase[] = [
  account("change_email", {}, { database: away }),
  // Refused where the site takes no codes by text message, before anybody is asked.
  account("change_phone", { phone: "+491511234567" }, { usual: 400, ...readable }),
  account(
    "finish_phone_change",
    { phone: "+491511234567", code: "123456" },
    { usual: 400, ...readable },
  ),
  account("change_password", { current: password, password: `${password}, softly` }, notDone),
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

/** What signs somebody in or out, begins a trial, or changes an account. */
export const accountCases: readonly RouteCase[] = [...session, trial, ...yourAccount];
