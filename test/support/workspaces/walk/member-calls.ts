import { accountId } from "../../database/as-person.ts";
import type { Call } from "./acting-calls.ts";

/** The answers to callers who may not: to a member, and to a user who is none. */
const refusals = { refused: "not allowed", outside: "missing" } as const;

/** Every function that changes members, invitations or the workspace, or reads who is a member. */
export const memberCalls: Readonly<Record<string, Call | readonly Call[]>> = {
  members_of: {
    needs: "see",
    sql: ({ ids }, actor) =>
      `(select count(*)::int > 0 from public.members_of('${actor}', '${ids.team}'))`,
    done: true,
    refused: false,
  },
  member_with_address: {
    needs: "own",
    sql: ({ ids }, actor) =>
      `public.member_with_address('${actor}', '${ids.team}', 'bystander@example.com') is not null`,
    done: true,
    refused: false,
  },
  invite: {
    needs: "members",
    sql: ({ ids }, actor) =>
      `public.invite('${actor}', '${ids.team}', '${accountId(9)}', 'new@example.com', 'admin', 100)`,
    done: "invited",
    ...refusals,
    changes: ["invitation_counts", "invitations"],
  },
  resend_invitation: {
    needs: "members",
    sql: ({ ids }, actor) =>
      `public.resend_invitation('${actor}', '${ids.team}', '${ids.invitation}')`,
    done: "sent",
    ...refusals,
    changes: ["invitation_counts", "invitations"],
  },
  withdraw_invitation: {
    needs: "members",
    sql: ({ ids }, actor) =>
      `public.withdraw_invitation('${actor}', '${ids.team}', '${ids.invitation}')`,
    done: "withdrawn",
    ...refusals,
    changes: ["invitations"],
  },
  accept_invitation: {
    needs: { only: "stranger" },
    sql: ({ ids }, actor) =>
      `public.accept_invitation('${actor}', '${ids.foreignInvitation}', 1, 100)`,
    done: "accepted",
    refused: "other address",
    changes: ["invitations", "members"],
    withoutFactor: true,
  },
  change_role: [
    {
      what: "of a member",
      needs: "members",
      sql: ({ ids }, actor) =>
        `public.change_role('${actor}', '${ids.team}', '${ids.bystander}', 'admin')`,
      done: "changed",
      ...refusals,
      changes: ["members"],
    },
    {
      what: "to owner",
      needs: "own",
      sql: ({ ids }, actor) =>
        `public.change_role('${actor}', '${ids.team}', '${ids.bystander}', 'owner')`,
      done: "changed",
      ...refusals,
      changes: ["members"],
    },
    {
      what: "of an owner",
      needs: "own",
      sql: ({ ids }, actor) =>
        `public.change_role('${actor}', '${ids.team}', '${ids.founder}', 'viewer')`,
      done: "changed",
      ...refusals,
      // Their passkey approves no rollout any more.
      changes: ["members", "workspaces"],
    },
  ],
  remove_member: [
    {
      what: "of a member",
      needs: "members",
      sql: ({ ids }, actor) =>
        `public.remove_member('${actor}', '${ids.team}', '${ids.bystander}')`,
      done: "removed",
      ...refusals,
      changes: ["api_tokens", "members", "unsaved_changes"],
    },
    {
      what: "of an owner",
      needs: "own",
      sql: ({ ids }, actor) => `public.remove_member('${actor}', '${ids.team}', '${ids.founder}')`,
      done: "removed",
      ...refusals,
      changes: ["api_tokens", "approver_passkeys", "members", "unsaved_changes", "workspaces"],
    },
  ],
  leave_workspace: {
    needs: "see",
    sql: ({ ids }, actor) => `public.leave_workspace('${actor}', '${ids.team}')`,
    done: "left",
    ...refusals,
    changes: ["api_tokens", "members", "unsaved_changes"],
    withoutFactor: true,
  },
  hand_over: {
    needs: "own",
    sql: ({ ids }, actor) => `public.hand_over('${actor}', '${ids.team}', '${ids.bystander}')`,
    done: "handed over",
    ...refusals,
    changes: ["members"],
  },
  rename_workspace: {
    needs: "settings",
    sql: ({ ids }, actor) => `public.rename_workspace('${actor}', '${ids.team}', 'New name')`,
    done: "renamed",
    ...refusals,
    // Messages of its servers name the workspace.
    changes: ["fleets", "workspaces"],
  },
  require_second_factor_of_all: {
    needs: "settings",
    sql: ({ ids }, actor) =>
      `public.require_second_factor_of_all('${actor}', '${ids.team}', false)`,
    done: "changed",
    ...refusals,
  },
  change_sso: {
    needs: "own",
    // Without what the workspace has agreed on, nobody changes anything.
    sql: ({ ids }, actor) => `public.change_sso('${actor}', '${ids.team}', 'end', '')`,
    done: "no sso",
    ...refusals,
  },
  losses_by_sso: {
    needs: "own",
    sql: ({ ids }, actor) =>
      `public.losses_by_sso('${actor}', '${ids.team}', 'end', '') is not null`,
    done: true,
    refused: false,
  },
  delete_workspace: {
    needs: "own",
    sql: ({ ids }, actor) =>
      `public.delete_workspace('${actor}', '${ids.team}', array['cus_team']) ->> 'answer'`,
    done: "deleted",
    ...refusals,
    changes: [
      "api_requests",
      "api_tokens",
      "approver_passkeys",
      "closed_customers",
      "closed_fleets",
      "connection_test_embeds",
      "connection_test_links",
      "connection_tests",
      "customers",
      "deployment_versions",
      "deployments",
      "fleets",
      "invitations",
      "members",
      "model_configuration_versions",
      "servers",
      "subscriptions",
      "token_allowances",
      "token_usage_counts",
      "token_usage_days",
      "token_usage_events",
      "unsaved_changes",
      "workspace_tokens",
      "workspaces",
    ],
  },
};
