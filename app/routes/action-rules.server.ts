import type { AccountIntent } from "~/features/account/settings/account-request.server";
import {
  type Intent as SignInIntent,
  intentOf as signInIntent,
} from "~/features/account/sign-in/sign-in-request.server";
import { type SignOutScope, signOutScope } from "~/features/account/sign-in/sign-out.server";
import { viewAddress } from "~/features/account/sign-in/views";
import type { UserIntent } from "~/features/agents/configuration/own-changes.server";
import type { TokenIntent } from "~/features/api/tokens-page/token-changes.server";
import { somethingWentWrong } from "~/features/billing/checkout/checkout-messages";
import type { PlanIntent } from "~/features/billing/plan-change/plan-form.server";
import type { TestIntent } from "~/features/deployments/connection-test/test-forms.server";
import type { EmbedIntent } from "~/features/deployments/embedded-test/embed-forms.server";
import type { RoomActIntent } from "~/features/deployments/live-rooms/room-act";
import type { ConnectIntent } from "~/features/servers/connect/connect-form.server";
import type { IncidentIntent } from "~/features/servers/incidents/incident-changes.server";
import type { AlertIntent } from "~/features/servers/notifications/alert-changes.server";
import type { ServerIntent } from "~/features/servers/pages/server-changes.server";
import type { ThresholdIntent } from "~/features/servers/pages/threshold-changes.server";
import type { ApproverIntent } from "~/features/servers/rollouts/approvers-page/approver-changes.server";
import type { RolloutIntent } from "~/features/servers/rollouts/rollout-changes.server";
import type { WebhookIntent } from "~/features/webhooks/site/webhook-changes.server";
import type { MemberIntent } from "~/features/workspaces/member-changes.server";
import type { SettingsIntent } from "~/features/workspaces/settings-changes.server";
import { nextPath } from "~/http/page-addresses";
import type { LimitName } from "~/http/rate-limit.server";
import type { Right } from "~/platform/database/role-rights";

/** What must hold for the sender of a post, before an action does anything. */
export type ActionRule = {
  /**
   * - `program`: no person; the action checks a signature or a token itself.
   * - `anyone`: nobody is identified.
   * - `visitor`: somebody signed out, or who would pass as a `verified-user`.
   * - `user`: somebody whose session the auth server confirms.
   * - `verified-user`: the same, with a confirmed address, and their second factor given if they have one.
   */
  who: "program" | "anyone" | "visitor" | "user" | "verified-user";
  /**
   * What their role must allow in the workspace that the address names, or outside the console `workspace` in the query,
   * or else in their first. A user who is no member gets a 404 in the console, and outside it the action's own answer.
   */
  may?: Right;
  /** Outside the console: whether the workspace is the one that was open last, and not the one that the query names. */
  inLastWorkspace?: true;
  /** The sentence while their role cannot be read; by default `roleUnreadable`. */
  unreadable?: string;
  /** They must also have signed in or given their second factor within the last 15 minutes. */
  recent?: true;
  /** Whether somebody in a trial may do it too. It must send, fetch and sell nothing, and let in nobody. */
  inTrial?: true;
  /** Counted by the guard: by network address before somebody is identified, by person after. */
  limit?: LimitName;
  /** Counted by the action itself: by what is in the form, or only if the form holds what it needs. */
  countedInAction?: LimitName;
  /**
   * Whether the action's `refused` also answers somebody who is signed out or whose second factor is due,
   * as JSON does. Otherwise the guard leads them to the page that asks for it, and from there to `back`.
   */
  answers?: true;
  /** The address to come back to; by default that of the page with the form. `base` is what the console's begin with. */
  back?: string | ((form: URLSearchParams, base: string) => string);
};

/** A route with several forms: `intentOf` says which was posted, `unlisted` is the rule of any other. */
export type IntentRules = {
  intentOf: (form: URLSearchParams) => string | undefined;
  intents: Readonly<Record<string, ActionRule>>;
  unlisted: ActionRule;
};

const intentField = (form: URLSearchParams) => form.get("intent") ?? undefined;

/** The rules of one form each; a missing or a surplus intent does not compile. */
function byIntent<Intent extends string>(
  intentOf: (form: URLSearchParams) => string | undefined,
  intents: Record<Intent, ActionRule>,
  unlisted: ActionRule,
): IntentRules {
  return { intentOf, intents, unlisted };
}

const deployment = {
  who: "verified-user",
  limit: "DEPLOYMENT_LIMIT",
  may: "describe",
} as const;
const described = { ...deployment, inTrial: true } as const;
const servers = { ...deployment, may: "servers" } as const;
const rollout = { ...deployment, may: "rollout" } as const;
const alerts = { ...deployment, may: "alerts" } as const;
const incidents = { ...alerts, inTrial: true } as const;
const ordinary = { who: "verified-user", limit: "CONFIGURATION_LIMIT" } as const;
const configuration = { ...ordinary, may: "describe" } as const;
const membership = { ...ordinary, may: "members" } as const;
const settings = { ...ordinary, may: "settings" } as const;
const ownership = { ...ordinary, may: "own", recent: true } as const;
const signIn = { who: "anyone", countedInAction: "SIGN_IN_LIMIT" } as const;
const connection = { who: "verified-user", limit: "SIGN_IN_LIMIT", answers: true } as const;
const checkout = { limit: "CHECKOUT_LIMIT" } as const;
const planChange = { ...checkout, who: "verified-user", may: "billing" } as const;

/** A form of the account page; afterwards one is back at its section. */
const account = (section: string) =>
  ({
    who: "verified-user",
    limit: "SIGN_IN_LIMIT",
    back: `/dashboard/account#${section}`,
  }) as const;

/** A form of the account page that a stranger at a browser left open must not send. */
const accountAfterRecentSignIn = (section: string) =>
  ({ ...account(section), recent: true }) as const;

const accountIntents: Record<AccountIntent, ActionRule> = {
  change_email: accountAfterRecentSignIn("email"),
  change_phone: accountAfterRecentSignIn("phone"),
  finish_phone_change: accountAfterRecentSignIn("phone"),
  // The present password counts as much as a recent sign-in: the action asks for either.
  change_password: account("password"),
  link: accountAfterRecentSignIn("identities"),
  unlink: accountAfterRecentSignIn("identities"),
  enrol: accountAfterRecentSignIn("second-factor"),
  // Needs no recent sign-in: beginning needed one, and only it showed the secret that the first code comes from.
  finish_enrolment: account("second-factor"),
  enrol_phone: accountAfterRecentSignIn("second-factor"),
  // Needs none either: the number that the code went to was named after a recent sign-in.
  finish_phone: account("second-factor"),
  remove_factor: accountAfterRecentSignIn("second-factor"),
  renew_codes: accountAfterRecentSignIn("second-factor"),
  end_session: accountAfterRecentSignIn("sessions"),
  // Ends the session of this browser, whatever it is worth.
  sign_in_again: { who: "anyone" },
  delete: accountAfterRecentSignIn("deletion"),
};

const signInIntents: Record<SignInIntent, ActionRule> = {
  provider: signIn,
  one_tap: signIn,
  sign_in: signIn,
  sign_up: signIn,
  resend_confirmation: signIn,
  forgotten_password: signIn,
  magic_link: signIn,
  phone_code: signIn,
  // Only a visitor who came by a reset link may choose one, in the session that it opened.
  update_password: {
    who: "visitor",
    limit: "SIGN_IN_LIMIT",
    back: (form) => viewAddress("update_password", nextPath(form.get("next"), "/dashboard")),
  },
  verify_email_code: signIn,
  verify_phone_code: signIn,
};

const everywhere = account("sessions");
const signOutScopes: Record<SignOutScope, ActionRule> = {
  local: { who: "anyone" },
  others: everywhere,
  global: everywhere,
};

const userIntents: Record<UserIntent, ActionRule> = {
  save: configuration,
  restore: configuration,
  // A token lets its bearer in for as long as it exists.
  "create-token": { ...configuration, may: "tokens", recent: true },
  "revoke-token": { ...configuration, may: "tokens" },
  "set-allowance": configuration,
};

const memberForms: Record<MemberIntent | "invite-admin" | "make-owner", ActionRule> = {
  invite: membership,
  // A stranger at a browser left open must not give an account of theirs rights for good.
  "invite-admin": { ...membership, recent: true },
  resend: membership,
  withdraw: membership,
  role: { ...membership, recent: true },
  "make-owner": ownership,
  remove: membership,
  leave: { ...ordinary, may: "see" },
};

/** A change of role is another form where it makes an owner, and an invitation where it makes one who may invite. */
function memberIntent(form: URLSearchParams): string | undefined {
  const intent = intentField(form);
  const role = form.get("role");
  if (intent === "role" && role === "owner") return "make-owner";
  return intent === "invite" && (role === "admin" || role === "owner") ? "invite-admin" : intent;
}

const settingsForms: Record<SettingsIntent, ActionRule> = {
  rename: settings,
  factor: { ...settings, recent: true },
  sso: ownership,
  "hand-over": ownership,
  delete: ownership,
};

const tokenForms: Record<TokenIntent, ActionRule> = {
  // A token lets its bearer in for as long as it lasts.
  "make-token": { ...settings, recent: true },
  "revoke-token": settings,
};

const webhookForms: Record<WebhookIntent, ActionRule> = {
  // Who sets an address, or the secret, has the audit log sent to them from then on.
  "add-webhook": { ...settings, recent: true },
  "change-webhook": { ...settings, recent: true },
  "rotate-webhook": { ...settings, recent: true },
  "test-webhook": settings,
  "disable-webhook": settings,
  "enable-webhook": settings,
  "remove-webhook": settings,
  "repeat-event": settings,
};

const approver = { ...ordinary, may: "rollout", recent: true } as const;
const approverForms: Record<ApproverIntent, ActionRule> = {
  // Whoever has it changes servers for as long as it lasts.
  "add-passkey": approver,
  "remove-passkey": approver,
  "approvals-needed": { ...settings, recent: true },
};

const userForms = byIntent(intentField, userIntents, { ...configuration, recent: true });

/** The same rules where script sends the forms and shows the answer. */
const answeredOwnForms = byIntent(
  intentField,
  Object.fromEntries(
    Object.entries(userIntents).map(([intent, rule]) => [intent, { ...rule, answers: true }]),
  ),
  { ...userForms.unlisted, answers: true },
);

/**
 * Every action of the site, by its route's pattern in app/routes.ts. The guard refuses whatever is not
 * here. docs/decisions/0023 says why the rules are as they are.
 */
export const actionRules: Readonly<Record<string, ActionRule | IntentRules>> = {
  "/contact": { who: "anyone", countedInAction: "CONTACT_LIMIT" },
  // It leads whoever is signed in to their dashboard.
  "/try": { who: "visitor", limit: "SIGN_IN_LIMIT", inTrial: true },
  "/services": { ...described, who: "visitor", inLastWorkspace: true, answers: true },
  "/pricing": { ...checkout, who: "visitor", may: "billing" },
  "/signup": { ...checkout, who: "visitor", may: "billing", unreadable: somethingWentWrong },
  "/google-services/connection": byIntent(
    intentField,
    { connect: connection, disconnect: connection },
    connection,
  ),
  "/google-services/call/:tool/:tab": {
    who: "verified-user",
    limit: "GOOGLE_LIMIT",
    answers: true,
  },
  "/openai-config/own": answeredOwnForms,
  "/signin": byIntent(signInIntent, signInIntents, signIn),
  "/signin/sso": signIn,
  "/signout": byIntent((form) => signOutScope(form.get("scope")), signOutScopes, { who: "anyone" }),
  // Changes nothing but the session's own tokens, and says whether the session lives.
  "/auth/refresh": { who: "anyone" },
  "/auth/confirm": signIn,
  "/dashboard": byIntent(
    intentField,
    { create: described, many: incidents },
    { ...checkout, who: "verified-user" },
  ),
  "/dashboard/models": userForms,
  "/dashboard/usage": userForms,
  "/dashboard/billing": byIntent(
    // The buttons that lead to the customer portal have no intent, here and on the overview.
    (form) => form.get("intent") ?? "portal",
    {
      details: { ...planChange, back: (_, base) => `${base}/billing` },
      portal: { ...planChange, back: (_, base) => base },
    },
    planChange,
  ),
  // What is confirmed there can be taken back or paid back, and the customer portal lets the same session
  // do as much: docs/decisions/0032.
  "/dashboard/plan": byIntent<PlanIntent>(
    intentField,
    {
      change: planChange,
      cancel: planChange,
      resume: planChange,
      keep: planChange,
      "give-up": planChange,
      pause: planChange,
      unpause: planChange,
      card: planChange,
      buy: planChange,
      order: planChange,
    },
    planChange,
  ),
  "/dashboard/support": { who: "verified-user", limit: "CONTACT_LIMIT" },
  "/dashboard/members": byIntent(memberIntent, memberForms, ownership),
  // Leaves a workspace that is closed to the person. Without a right: that would be refused there.
  "/dashboard/second-factor": ordinary,
  "/dashboard/settings": byIntent(intentField, settingsForms, ownership),
  "/dashboard/tokens": byIntent(intentField, tokenForms, { ...settings, recent: true }),
  "/dashboard/webhooks": byIntent(intentField, webhookForms, { ...settings, recent: true }),
  "/dashboard/approvers": byIntent(intentField, approverForms, { ...settings, recent: true }),
  "/dashboard/workspaces/new": ordinary,
  "/invitation": ordinary,
  // The link in the address is the right: docs/decisions/0055.
  "/acknowledge": { who: "anyone", countedInAction: "LOOK_LIMIT" },
  "/dashboard/account": byIntent(intentField, accountIntents, accountAfterRecentSignIn("email")),
  // Where the second factor is given.
  "/dashboard/account/code": { who: "user", limit: "SIGN_IN_LIMIT" },
  "/dashboard/deployments": described,
  "/dashboard/deployments/new": described,
  "/dashboard/deployments/move-in": described,
  "/dashboard/deployments/:id/edit": described,
  "/dashboard/deployments/:id/duplicate": described,
  "/dashboard/deployments/:id/delete": described,
  // Sent by a script whenever somebody pauses while they type.
  "/dashboard/deployments/:id/unsaved": {
    who: "verified-user",
    limit: "UNSAVED_LIMIT",
    may: "describe",
    inTrial: true,
    answers: true,
  },
  "/dashboard/deployments/:id": byIntent(
    intentField,
    {
      progress: described,
      address: deployment,
      // A member who may only read sees what the look finds; it marks no step then.
      look: { ...deployment, limit: "LOOK_LIMIT", may: "see" },
      // Somebody else's server is asked, and counted in the workspace's fleet.
      preflight: { ...servers, limit: "LOOK_LIMIT" },
      "secrets-on-server": deployment,
      connect: servers,
      "revoke-tokens": servers,
      // Of its cluster; a trial has none.
      acknowledge: alerts,
      unacknowledge: alerts,
      snooze: alerts,
      maintenance: alerts,
    },
    deployment,
  ),
  // Makes a token, which stands in the zip.
  "/dashboard/deployments/:id/bundle.zip": { ...servers, limit: "DOWNLOAD_LIMIT" },
  "/dashboard/servers/connect": byIntent<ConnectIntent>(
    intentField,
    // A token lets a machine in for as long as it exists.
    { connect: { ...servers, recent: true }, revoke: servers },
    { ...servers, recent: true },
  ),
  "/dashboard/servers/:id": byIntent<
    ServerIntent | IncidentIntent | ThresholdIntent | RolloutIntent
  >(
    intentField,
    {
      allow: servers,
      refuse: servers,
      disconnect: servers,
      keep: servers,
      label: servers,
      // Somebody else's server is asked.
      check: { ...servers, limit: "LOOK_LIMIT" },
      acknowledge: incidents,
      unacknowledge: incidents,
      snooze: incidents,
      maintenance: incidents,
      "set-threshold": incidents,
      "remove-threshold": incidents,
      "request-rollout": rollout,
      // The passkey proves more than a recent sign-in.
      "approve-rollout": rollout,
      "abort-rollout": rollout,
    },
    servers,
  ),
  "/dashboard/alerts": byIntent<AlertIntent>(
    intentField,
    {
      "add-mail": alerts,
      "add-pagerduty": alerts,
      "add-webhook": alerts,
      "add-service": alerts,
      turn: alerts,
      // Somebody else is written to.
      test: { ...alerts, limit: "LOOK_LIMIT" },
      remove: alerts,
      "pager-secret": alerts,
      rota: alerts,
      "rota-end": alerts,
      absence: alerts,
      "absence-end": alerts,
      zone: alerts,
      quiet: alerts,
    },
    alerts,
  ),
  "/dashboard/deployments/:id/versions": described,
  "/dashboard/deployments/:id/connection-test": byIntent<TestIntent | EmbedIntent>(
    intentField,
    {
      // A member who may only read runs the test all the same.
      result: { ...deployment, limit: "LOOK_LIMIT", may: "see" },
      link: servers,
      "end-link": servers,
      embed: servers,
      "end-embed": servers,
    },
    servers,
  ),
  // The browser does it at the customer's own server, once the audit log has it.
  "/dashboard/deployments/:id/rooms": byIntent<RoomActIntent>(
    intentField,
    { end: servers, remove: servers, mute: servers },
    servers,
  ),
  // The link in the address is the right.
  "/connection-test/:link": { who: "anyone", countedInAction: "LOOK_LIMIT" },
  "/connection-test/embed/:embed": { who: "anyone", countedInAction: "LOOK_LIMIT" },
  "/api/create-checkout-session": {
    ...checkout,
    who: "verified-user",
    may: "billing",
    answers: true,
  },
  "/api/stripe/webhook": { who: "program" },
  "/api/model-config": { who: "program" },
  "/api/token-usage": { who: "program" },
  "/api/v1/*": { who: "program" },
  // Browsers report by themselves that a page broke its content policy.
  "/csp-reports": { who: "anyone", countedInAction: "REPORT_LIMIT" },
};
