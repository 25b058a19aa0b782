import words from "../../../app/content/workspace-pages.json" with { type: "json" };
import { signInUnavailable } from "../../../app/features/auth/session/sign-in-problems.ts";
import { invitationToken } from "../../../app/features/workspaces/invitation-token.ts";
import { readConfiguration } from "../../../app/platform/env/configuration.server.ts";
import { fakes } from "../site/control-fakes.ts";
import { siteVariables } from "../site/variables.ts";
import { type Answered, none, post, type RouteCase } from "./route-case.ts";

const noSignIn: Answered = [503, signInUnavailable];
const noWorkspace: Answered = [503, "This workspace cannot be read right now."];

/** The link of an invitation that is gone, signed as those that were mailed. */
async function linkOfNobody(): Promise<string> {
  const reading = readConfiguration(siteVariables);
  if (!reading.ok) throw new Error(reading.problems.join());
  const token = await invitationToken({ id: none, send: 1 }, reading.configuration);
  return `/invitation?${new URLSearchParams({ token })}`;
}

/** The forms of a workspace, in the owner's personal one. */
export const workspaceCases: readonly RouteCase[] = [
  post(
    "workspaces/new.tsx",
    "/dashboard/workspaces/new",
    { name: "Second team" },
    { fails: { auth: noSignIn, database: [503, words.refused.unavailable] } },
  ),
  post(
    "workspaces/members.tsx",
    "/dashboard/members",
    ({ owner }) => ({
      intent: "invite",
      address: `colleague.of.${owner.email}`,
      role: "viewer",
      name: "Acme calls",
    }),
    {
      what: "invite",
      fails: { auth: noSignIn, database: noWorkspace, mail: [303, "done=not-mailed"] },
      // Resend has taken the mail; what else it says is not read.
      unless: { mail: { garbage: "as usual", truncated: "as usual", "cut short": "as usual" } },
    },
  ),
  post(
    "workspaces/settings.tsx",
    "/dashboard/settings",
    { intent: "rename", name: "Acme" },
    { fails: { auth: noSignIn, database: noWorkspace } },
  ),
  post(
    "workspaces/tokens.tsx",
    "/dashboard/tokens",
    { intent: "make-token", name: "CI", "servers:read": "yes", days: "90" },
    { usual: 200, fails: { auth: noSignIn, database: noWorkspace } },
  ),
  post(
    "workspaces/webhooks.tsx",
    "/dashboard/webhooks",
    () => ({ intent: "add-webhook", url: `${fakes().alerts.url}/webhooks/events`, people: "yes" }),
    { usual: 200, fails: { auth: noSignIn, database: noWorkspace } },
  ),
  post(
    "workspaces/approvers.tsx",
    "/dashboard/approvers",
    { intent: "approvals-needed", needed: "2" },
    { usual: 200, fails: { auth: noSignIn, database: noWorkspace } },
  ),
  post(
    "workspaces/second-factor.tsx",
    "/dashboard/second-factor",
    {},
    {
      what: "of a workspace that is open to them, whose pages they are led to",
      fails: { auth: noSignIn, database: noWorkspace },
    },
  ),
  {
    route: "workspaces/invitation.tsx",
    method: "POST",
    what: "that is gone",
    usual: 409,
    fails: { auth: noSignIn, database: [503, words.invitation.unavailable] },
    nameless: true,
    send: async ({ owner }) => owner.browser.post(await linkOfNobody(), {}),
  },
];
