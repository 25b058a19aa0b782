import { accountId } from "../database/as-person.ts";
import type { Query } from "../database/many-rows.ts";
import { newTeam } from "../database/team.ts";

/** A line of the audit log. */
export interface AuditLine {
  actor_address: string;
  action: string;
  target: string;
  target_id: string | null;
  network: string;
  before: unknown;
  after: unknown;
}

/**
 * A team with one of everything, all of it made by Ada, who owns it. Cat looks on, and Ben is invited. `lines` are those
 * of the team that have come since, or since `forget`.
 */
export async function auditedTeam(query: Query) {
  const team = await newTeam(query);
  const { call } = team;
  const { ada, cat } = team.people;
  const [invitation, workspaceToken] = [accountId(901), accountId(902)];
  let last = 0;

  async function forget(): Promise<void> {
    const [row] = await query<{ id: number }>(
      "select coalesce(max(id), 0)::int as id from public.audit_log",
    );
    last = row?.id ?? 0;
  }
  const lines = () =>
    query<AuditLine>(
      "select * from public.audit_log where workspace_id = $1 and id > $2 order by id",
      [team.id, last],
    );

  await team.join(cat, "viewer");
  const options = JSON.stringify({ domain: "old.example.com", turn: { port: 3478 } });
  const create = () => call("create_deployment", ada, "Server", options, 9, null, team.id);
  const deployment = String(await create());
  const deleted = String(await create());
  await call("delete_deployment", ada, deleted);
  await call("create_api_token", ada, "Agent", "a".repeat(64), "abcd", 9, team.id);
  const [token] = await query<{ id: string }>("select id from public.api_tokens");
  await query(
    `insert into public.workspace_tokens
       (id, workspace_id, name, token_hash, ending, scopes, made_by, ends_at)
     values ($1, $2, 'CI', $3, 'abcd', '{servers:read}', $4, now() + interval '90 days')`,
    [workspaceToken, team.id, "c".repeat(64), ada],
  );
  await call("save_model_configuration", ada, "ada@example.com", 0, "m", "", "nova", "w", team.id);
  await call("set_usage_allowance", ada, "dora", [], 5, team.id);
  await call("invite", ada, team.id, invitation, "ben@example.com", "operator", 100);
  await query(
    `insert into public.customers (id, workspace_id, origin, email)
     values ('cus_team', $1, 'account', 'ada@example.com')`,
    [team.id],
  );
  await forget();
  return {
    ...team.people,
    team,
    invitation,
    deployment,
    deleted,
    token: token?.id,
    workspaceToken,
    call,
    lines,
    forget,
  };
}

export type AuditedTeam = Awaited<ReturnType<typeof auditedTeam>>;
