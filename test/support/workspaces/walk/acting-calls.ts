import type { Right } from "../../../../app/platform/database/role-rights.ts";
import { accountId } from "../../database/as-person.ts";
import { forbidden } from "./attempt.ts";
import type { DatabaseWorld } from "./database-world.ts";

/** One call of a function for somebody who acts, or asks, in a workspace. */
export type Call = {
  /** Which of a function's uses it is, where it has several. */
  what?: string;
  sql: (world: DatabaseWorld, actor: string) => string;
  /** The right that it asks for; or the one person, by their name in the walk, whatever their role is. */
  needs: Right | { only: string };
  /** What it answers to those who may. Nothing else than these tables changes then, and the audit log. */
  done: unknown;
  changes?: readonly string[];
  /** What it answers to members who may not, and to users who are no members: by default the same. */
  refused: unknown;
  outside?: unknown;
  /** Also a member acts who lacks the second factor that the workspace asks for. */
  withoutFactor?: true;
};

/** The rows or the row of a function whose answer may be any: that there is one. */
const some = (call: string) => `exists (select from public.${call})`;

const deploymentChange = (
  name: string,
  others: string,
  {
    done = true,
    refused = false,
    changes = ["deployments"],
  }: Partial<Pick<Call, "done" | "refused" | "changes">> = {},
): Record<string, Call> => ({
  [name]: {
    needs: "describe",
    sql: ({ deployment }, actor) => `public.${name}('${actor}', '${deployment}', ${others})`,
    done,
    refused,
    changes,
  },
});

const deployments: Readonly<Record<string, Call>> = {
  create_deployment: {
    needs: "describe",
    sql: ({ ids }, actor) =>
      `public.create_deployment('${actor}', 'Server', '{}', 100, null, '${ids.team}') is not null`,
    done: true,
    refused: forbidden,
    changes: ["deployment_versions", "deployments"],
  },
  ...deploymentChange("save_deployment", `'New', '{"a": 1}', 1`, {
    done: "saved",
    refused: "missing",
    // Messages of its servers name the deployment.
    changes: ["deployment_versions", "deployments", "fleets"],
  }),
  ...deploymentChange(
    "save_unchanged_deployment",
    `'New', '{"a": 1}', 1, (select d.updated_at from public.deployments d where d.name = 'walked' and d.deleted_at is null)`,
    {
      done: "saved",
      refused: "missing",
      changes: ["deployment_versions", "deployments", "fleets"],
    },
  ),
  ...deploymentChange("note_deployment_version", "1, 'A note'", {
    changes: ["deployment_versions"],
  }),
  ...deploymentChange("apply_deployment_version", "1"),
  ...deploymentChange("set_deployment_tick", "'dns', true, 1, 'hand'"),
  ...deploymentChange("set_server_address", "'192.0.2.1', '', 1"),
  ...deploymentChange("set_deployment_progress", "'dns', true"),
  delete_deployment: {
    needs: "describe",
    sql: ({ deployment }, actor) => `public.delete_deployment('${actor}', '${deployment}')`,
    done: true,
    refused: false,
    changes: ["deployments"],
  },
  restore_deployment: {
    needs: "describe",
    sql: ({ deleted }, actor) => `public.restore_deployment('${actor}', '${deleted}', 100)`,
    done: "restored",
    refused: "missing",
    changes: ["deployments"],
  },
  deleted_deployments: {
    needs: "describe",
    sql: ({ ids }, actor) => some(`deleted_deployments('${actor}', '${ids.team}')`),
    done: true,
    refused: false,
  },
  make_connection_test_link: {
    needs: "servers",
    sql: ({ deployment }, actor) =>
      `public.make_connection_test_link('${actor}', '${deployment}', '${"0".repeat(64)}', 'Office') is not null`,
    done: true,
    refused: false,
    changes: ["connection_test_links"],
  },
  end_connection_test_link: {
    needs: "servers",
    sql: ({ deployment }, actor) =>
      `public.end_connection_test_link('${actor}', '${deployment}',
         (select id from public.connection_test_links limit 1))`,
    done: true,
    refused: false,
    changes: ["connection_test_links"],
  },
  make_connection_test_embed: {
    needs: "servers",
    sql: ({ deployment }, actor) =>
      `public.make_connection_test_embed('${actor}', '${deployment}', 'Help page',
         array['https://help.example.com'], null) is not null`,
    done: true,
    refused: false,
    changes: ["connection_test_embeds"],
  },
  end_connection_test_embed: {
    needs: "servers",
    sql: ({ deployment }, actor) =>
      `public.end_connection_test_embed('${actor}', '${deployment}',
         (select id from public.connection_test_embeds limit 1))`,
    done: true,
    refused: false,
    changes: ["connection_test_embeds"],
  },
  keep_connection_test: {
    needs: "see",
    sql: ({ deployment }, actor) =>
      `public.keep_connection_test('${actor}', '${deployment}', '{}')`,
    done: true,
    refused: false,
    changes: ["connection_tests"],
  },
  deployment_workspace: {
    needs: "describe",
    sql: ({ deployment }, actor) =>
      `public.deployment_workspace('${actor}', '${deployment}', 'describe') is not null`,
    done: true,
    refused: false,
  },
};

/** What somebody types in a form of a deployment, and of a new one. */
const unsavedChanges: readonly Call[] = (["deployment", "new one"] as const).map((what) => ({
  what: `of a ${what}`,
  needs: "describe",
  sql: ({ deployment, ids }, actor) =>
    `public.keep_unsaved_changes('${actor}', array['email'], '{"email": {}}',
       ${what === "deployment" ? `'${deployment}'` : "null"}, '${ids.team}')`,
  done: true,
  refused: false,
  changes: ["unsaved_changes"],
}));

const servers: Readonly<Record<string, Call>> = {
  open_fleet: {
    needs: "servers",
    sql: ({ ids }, actor) => `public.open_fleet('${actor}', '${ids.team}', '{}') ->> 'slug'`,
    done: "walked-team",
    refused: null,
    changes: ["fleets"],
  },
  note_server_change: {
    needs: "servers",
    sql: ({ ids, deployment }, actor) =>
      `public.note_server_change('${actor}', '${ids.team}', 'server.disconnected', 'sfu-1', '${deployment}')`,
    done: true,
    refused: false,
  },
  note_alert_change: {
    needs: "alerts",
    sql: ({ ids }, actor) =>
      `public.note_alert_change('${actor}', '${ids.team}', 'channel.removed', 'PagerDuty')`,
    done: true,
    refused: false,
  },
  confirmed_member_address: {
    needs: "alerts",
    sql: ({ ids }, actor) =>
      `public.confirmed_member_address('${actor}', '${ids.team}', '${accountId(3)}') is not null`,
    done: true,
    refused: false,
  },
};

const agents: Readonly<Record<string, Call | readonly Call[]>> = {
  save_model_configuration: {
    needs: "describe",
    sql: ({ ids }, actor) =>
      `public.save_model_configuration('${actor}', 'saver', 2, 'new', '', 'nova', 'w', '${ids.team}')`,
    done: 3,
    refused: forbidden,
    changes: ["model_configuration_versions"],
  },
  restore_model_configuration: {
    needs: "describe",
    sql: ({ ids }, actor) =>
      `public.restore_model_configuration('${actor}', 'saver', 1, '${ids.team}')`,
    done: 3,
    refused: forbidden,
    changes: ["model_configuration_versions"],
  },
  create_api_token: {
    needs: "tokens",
    sql: ({ ids }, actor) =>
      `public.create_api_token('${actor}', 'Agent', repeat('e', 64), 'abcd', 50, '${ids.team}')`,
    done: true,
    refused: forbidden,
    changes: ["api_tokens"],
  },
  revoke_api_token: [
    {
      what: "of one's own",
      needs: "tokens",
      sql: ({ tokenOf }, actor) => `public.revoke_api_token('${actor}', '${tokenOf(actor)}')`,
      done: true,
      refused: false,
      changes: ["api_tokens"],
    },
    {
      what: "of another member",
      needs: "members",
      sql: ({ tokenOf, ids }, actor) =>
        `public.revoke_api_token('${actor}', '${tokenOf(ids.founder)}')`,
      done: true,
      refused: false,
      changes: ["api_tokens"],
    },
  ],
  create_workspace_token: {
    needs: "settings",
    sql: ({ ids }, actor) =>
      `public.create_workspace_token('${actor}', '${ids.team}', 'CI', repeat('e', 64), 'abcd',
         '{servers:read}', now() + interval '90 days', 50)`,
    done: true,
    refused: forbidden,
    changes: ["workspace_tokens"],
  },
  note_webhook_change: {
    needs: "settings",
    sql: ({ ids }, actor) =>
      `public.note_webhook_change('${actor}', '${ids.team}', 'webhook.removed', 'hooks.example.com')`,
    done: true,
    refused: false,
    changes: ["webhook_events", "webhook_workspaces"],
  },
  revoke_workspace_token: {
    needs: "settings",
    sql: ({ ids }, actor) =>
      `public.revoke_workspace_token('${actor}', '${ids.team}', '${ids.workspaceToken}')`,
    done: true,
    refused: forbidden,
    changes: ["api_requests", "workspace_tokens"],
  },
  set_usage_allowance: {
    needs: "describe",
    sql: ({ ids }, actor) =>
      `public.set_usage_allowance('${actor}', 'dora', '{}', 5, '${ids.team}')`,
    done: true,
    refused: forbidden,
    changes: ["token_allowances"],
  },
};

/** A P-256 key and its fingerprint, as the table has them. */
const passkey = (letter: string) =>
  `'Key', '${letter}', 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${letter.repeat(86)}==', repeat('${letter}', 32)`;

const rollouts: Readonly<Record<string, Call>> = {
  note_rollout_change: {
    needs: "rollout",
    sql: ({ ids, deployment }, actor) =>
      `public.note_rollout_change('${actor}', '${ids.team}', 'rollout.requested', 'sfu-1', '${deployment}')`,
    done: true,
    refused: false,
  },
  add_approver_passkey: {
    needs: "rollout",
    sql: ({ ids }, actor) =>
      `public.add_approver_passkey('${actor}', '${ids.team}', ${passkey("b")}, 5)`,
    done: "added",
    refused: forbidden,
    changes: ["approver_passkeys", "workspaces"],
  },
  remove_approver_passkey: {
    needs: "settings",
    sql: ({ ids }, actor) =>
      `public.remove_approver_passkey('${actor}', '${ids.team}', '${ids.passkey}')`,
    done: true,
    refused: false,
    changes: ["approver_passkeys", "workspaces"],
  },
  set_approvals_needed: {
    needs: "settings",
    sql: ({ ids }, actor) => `public.set_approvals_needed('${actor}', '${ids.team}', 2)`,
    done: true,
    refused: forbidden,
    changes: ["workspaces"],
  },
};

/** What is asked inside other functions, and by the Worker for itself. */
const questions: Readonly<Record<string, Call>> = Object.fromEntries(
  ["may_now", "member_may"].map((name) => [
    name,
    {
      needs: "describe",
      sql: ({ ids }, actor) => `public.${name}('${actor}', '${ids.team}', 'describe')`,
      done: true,
      refused: false,
    } satisfies Call,
  ]),
);

const billing: Readonly<Record<string, Call>> = Object.fromEntries(
  ["customers_of", "buying_customer"].map((name) => [
    name,
    {
      needs: "billing",
      sql: ({ ids }, actor) =>
        `(select t::text like '%cus_team%' from public.${name}('${actor}', '${ids.team}') t)`,
      done: true,
      refused: null,
    } satisfies Call,
  ]),
);

/** What a person asks with their own token. */
export const personQuestions: Readonly<Record<string, Call>> = {
  workspaces_where: {
    needs: "describe",
    sql: ({ ids }) => `'${ids.team}' in (select public.workspaces_where('describe'))`,
    done: true,
    refused: false,
  },
  my_workspaces: {
    needs: "see",
    sql: ({ ids }) => some(`my_workspaces() w where w.id = '${ids.team}'`),
    done: true,
    refused: false,
    withoutFactor: true,
  },
  plans_of: {
    needs: "see",
    sql: ({ ids }) => some(`plans_of('${ids.team}')`),
    done: true,
    refused: false,
  },
  workspace_token_makers: {
    needs: "settings",
    sql: ({ ids }) => some(`workspace_token_makers('${ids.team}')`),
    done: true,
    refused: false,
  },
  token_usage_statistics: {
    needs: "see",
    sql: ({ ids }) =>
      `(public.token_usage_statistics(current_date - 1, current_date + 1, null, '${ids.team}')
         #>> '{total,total_tokens}')::int`,
    done: 10,
    refused: 0,
  },
};

/** Every function of the Worker's that somebody acts by in a workspace; those about members are in member-calls.ts. */
export const actingCalls: Readonly<Record<string, Call | readonly Call[]>> = {
  ...deployments,
  ...servers,
  keep_unsaved_changes: unsavedChanges,
  ...agents,
  ...rollouts,
  ...questions,
  meant_workspace: {
    needs: "describe",
    sql: ({ ids }, actor) => `public.meant_workspace('${actor}', '${ids.team}', 'describe')`,
    done: accountId(1),
    refused: forbidden,
  },
  ...billing,
};
