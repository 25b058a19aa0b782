import type { Right } from "../../../../app/platform/database/role-rights.ts";

/**
 * Who reads the rows of a table past the Worker: the members of a workspace whose role gives this right; only the person
 * whose rows they are, and of a workspace only while they have the right there; or nobody.
 */
export type TableLine =
  | { rowsOf: "workspace"; readWith: Right }
  | { rowsOf: "person"; readWith?: Right }
  | { rowsOf: "site" };

const ofWorkspace = (readWith: Right): TableLine => ({ rowsOf: "workspace", readWith });
const ofSite: TableLine = { rowsOf: "site" };

/** Every table of the database's API. The line of a new one says who reads it. */
export const tableLines: Readonly<Record<string, TableLine>> = {
  workspaces: ofWorkspace("see"),
  members: ofWorkspace("see"),
  invitations: ofWorkspace("members"),
  invitation_counts: ofSite,
  audit_log: ofWorkspace("audit"),

  deployments: ofWorkspace("see"),
  deployment_versions: ofWorkspace("see"),
  connection_test_embeds: ofWorkspace("see"),
  connection_test_links: ofWorkspace("see"),
  connection_tests: ofWorkspace("see"),
  unsaved_changes: { rowsOf: "person", readWith: "describe" },

  servers: ofWorkspace("see"),
  fleets: ofSite,
  closed_fleets: ofSite,

  model_configuration_versions: ofWorkspace("see"),
  api_tokens: ofWorkspace("see"),
  token_usage_events: ofWorkspace("see"),
  token_usage_days: ofWorkspace("see"),
  token_usage_counts: ofSite,
  token_allowances: ofWorkspace("see"),

  customers: ofWorkspace("billing"),
  subscriptions: ofWorkspace("billing"),
  closed_customers: ofSite,
  stripe_events: ofSite,
  reconciliation: ofSite,
  mail_outbox: ofSite,
  mail_budget: ofSite,

  contact_messages: { rowsOf: "person" },
  contact_answers: { rowsOf: "person" },

  approver_passkeys: ofSite,
  workspace_tokens: ofWorkspace("settings"),
  api_requests: ofSite,
  webhook_workspaces: ofSite,
  webhook_events: ofSite,

  trials: ofSite,

  sso_connections: ofSite,
  sso_domains: ofSite,
  sso_removals: ofSite,

  recovery_codes: ofSite,
  code_tries: ofSite,
};
