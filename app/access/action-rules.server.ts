import type { AccountIntent } from "~/account/account-request.server";
import {
  type Intent as SignInIntent,
  intentOf as signInIntent,
} from "~/auth/sign-in-request.server";
import { type SignOutScope, signOutScope } from "~/auth/sign-out-scopes";
import { viewAddress } from "~/auth/views";
import type { OwnIntent } from "~/model-configuration/own-changes.server";
import { nextPath } from "~/request/next-path";
import type { LimitName } from "~/request/rate-limit.server";

/** What is asked of whoever posts before an action does anything. */
export type ActionRule = {
  /**
   * - `program`: no person; the action checks a signature or a token itself.
   * - `anyone`: nobody is identified.
   * - `visitor`: anyone, but whoever is signed in must pass as a `verified-user`.
   * - `user`: somebody whose session lives at the auth server.
   * - `verified-user`: also with a confirmed address, and their second factor where they have one.
   */
  who: "program" | "anyone" | "visitor" | "user" | "verified-user";
  /** They also signed in or gave their second factor within the last 15 minutes. */
  recent?: true;
  /** Counted by the guard, for each address and each person. */
  limit?: LimitName;
  /** Counted by the action: by what is in the form, or only once the form holds what it needs. */
  countedInAction?: LimitName;
  /**
   * Whether the action itself says what is wrong to somebody who is signed out or whose second factor
   * is due, as JSON does. Otherwise the guard leads to the page that asks, and on to `back`.
   */
  answers?: true;
  /** Where to come back to; the page of the form where it is not said. */
  back?: string | ((form: URLSearchParams) => string);
};

/** A route with several forms: `of` says which one was posted, `unlisted` what holds for any other. */
export type IntentRules = {
  of: (form: URLSearchParams) => string | undefined;
  intents: Readonly<Record<string, ActionRule>>;
  unlisted: ActionRule;
};

const intentField = (form: URLSearchParams) => form.get("intent") ?? undefined;

/** The rules of one form each; a missing or a surplus intent does not compile. */
function byIntent<Intent extends string>(
  of: (form: URLSearchParams) => string | undefined,
  intents: Record<Intent, ActionRule>,
  unlisted: ActionRule,
): IntentRules {
  return { of, intents, unlisted };
}

const deployment = { who: "verified-user", limit: "DEPLOYMENT_LIMIT" } as const;
const configuration = {
  who: "verified-user",
  limit: "CONFIGURATION_LIMIT",
  answers: true,
} as const;
const signIn = { who: "anyone", countedInAction: "SIGN_IN_LIMIT" } as const;
const checkout = { limit: "CHECKOUT_LIMIT" } as const;

/** A form of the account page; afterwards one is back at its section. */
const account = (section: string) =>
  ({
    who: "verified-user",
    limit: "SIGN_IN_LIMIT",
    back: `/dashboard/account#${section}`,
  }) as const;

/** A browser that was left open must not give somebody else a way in, or take the owner's. */
const wayIn = (section: string) => ({ ...account(section), recent: true }) as const;

const accountIntents: Record<AccountIntent, ActionRule> = {
  change_email: wayIn("email"),
  // The present password counts as much as a recent sign-in: the action asks for either.
  change_password: account("password"),
  link: wayIn("identities"),
  unlink: wayIn("identities"),
  enrol: wayIn("second-factor"),
  // Only whoever began it recently was shown the secret that its first code comes from.
  finish_enrolment: account("second-factor"),
  remove_factor: wayIn("second-factor"),
  renew_codes: wayIn("second-factor"),
  end_session: wayIn("sessions"),
  // Ends the session of this browser, whatever it is worth.
  sign_in_again: { who: "anyone" },
  delete: wayIn("deletion"),
};

const signInIntents: Record<SignInIntent, ActionRule> = {
  provider: signIn,
  sign_in: signIn,
  sign_up: signIn,
  resend_confirmation: signIn,
  forgotten_password: signIn,
  magic_link: signIn,
  phone_code: signIn,
  // Who may choose one is whoever came by a reset link, in the session that it opened.
  update_password: {
    who: "visitor",
    countedInAction: "SIGN_IN_LIMIT",
    back: (form) => viewAddress("update_password", nextPath(form.get("next"), "/dashboard")),
  },
  verify_email_code: signIn,
  verify_phone_code: signIn,
};

const everywhere = { ...account("sessions"), limit: "SIGN_IN_LIMIT" } as const;
const signOutScopes: Record<SignOutScope, ActionRule> = {
  local: { who: "anyone" },
  others: everywhere,
  global: everywhere,
};

const ownIntents: Record<OwnIntent, ActionRule> = {
  save: configuration,
  restore: configuration,
  // A token lets whoever has it in for as long as it exists.
  "create-token": { ...configuration, recent: true },
  "revoke-token": configuration,
  "set-allowance": configuration,
};

/**
 * Every action of the site, by its route's pattern in app/routes.ts. What is not here is refused: see
 * guard-actions.server.ts. docs/decisions/0023 says why each may ask for what it asks for.
 */
export const actionRules: Readonly<Record<string, ActionRule | IntentRules>> = {
  "/contact": { who: "anyone", countedInAction: "CONTACT_LIMIT" },
  "/services": { ...deployment, who: "visitor", answers: true },
  "/pricing": { ...checkout, who: "visitor" },
  "/signup": { ...checkout, who: "visitor" },
  "/google-services/connection": byIntent(
    intentField,
    {
      connect: { who: "verified-user", limit: "SIGN_IN_LIMIT", answers: true },
      disconnect: { who: "verified-user", limit: "SIGN_IN_LIMIT", answers: true },
    },
    { who: "verified-user", limit: "SIGN_IN_LIMIT", answers: true },
  ),
  "/google-services/call/:tool/:tab": {
    who: "verified-user",
    limit: "GOOGLE_LIMIT",
    answers: true,
  },
  "/openai-config": byIntent(
    intentField,
    { save: configuration, open: configuration },
    configuration,
  ),
  "/openai-config/own": byIntent(intentField, ownIntents, { ...configuration, recent: true }),
  "/signin": byIntent(signInIntent, signInIntents, signIn),
  "/signout": byIntent((form) => signOutScope(form.get("scope")), signOutScopes, { who: "anyone" }),
  // Changes nothing but the session's own tokens, and says whether the session lives.
  "/auth/refresh": { who: "anyone" },
  "/auth/confirm": signIn,
  "/dashboard": { ...checkout, who: "verified-user" },
  "/dashboard/billing": { ...checkout, who: "verified-user", back: "/dashboard" },
  "/dashboard/account": byIntent(intentField, accountIntents, wayIn("email")),
  // Where the second factor is given.
  "/dashboard/account/code": { who: "user", limit: "SIGN_IN_LIMIT" },
  "/dashboard/deployments": deployment,
  "/dashboard/deployments/new": deployment,
  "/dashboard/deployments/:id/edit": deployment,
  "/dashboard/deployments/:id/delete": deployment,
  "/dashboard/deployments/:id": byIntent(
    intentField,
    { progress: deployment, "secrets-on-server": deployment },
    deployment,
  ),
  "/dashboard/deployments/:id/versions": deployment,
  "/api/create-checkout-session": { ...checkout, who: "verified-user", answers: true },
  "/api/stripe/webhook": { who: "program" },
  "/api/model-config": { who: "program" },
  "/api/token-usage": { who: "program" },
  // Browsers tell by themselves that a page broke its content policy.
  "/csp-reports": { who: "anyone", countedInAction: "REPORT_LIMIT" },
};
