import type { Role } from "../../../../app/platform/database/role-rights.ts";
import { accountId, addAccount } from "../../database/as-person.ts";
import { type Contents, contentsOf } from "../../database/changed-tables.ts";
import type { Query } from "../../database/many-rows.ts";
import { roles } from "./role-table.ts";

/** Somebody who asks, with their role in the team, or without one. */
export type Asker = { name: string; id: string; role: Role | undefined };

/** A team in a database of its own, with rows in every table that people read, and everybody who asks for them. */
export type DatabaseWorld = {
  query: Query;
  /** All tables of the API, and what they hold before anybody asks. */
  tables: readonly string[];
  contents: Contents;
  askers: readonly Asker[];
  /** The ids of what the team has. `bystander` is a viewer whom nobody asks. */
  ids: Readonly<
    Record<
      | "team"
      | ("founder" | "bystander" | "invitation")
      | ("foreignInvitation" | "workspaceToken" | "passkey"),
      string
    >
  >;
  deployment: string;
  deleted: string;
  /** The tokens of members, by their ids. */
  tokenOf: (person: string) => string;
  /** Whether a row of any table is about the team. */
  isTeams: (row: unknown) => boolean;
};

const nameOf = (n: number) => accountId(100 + n);
const hashOf = (person: string) => person.replaceAll("-", "").padStart(64, "0");
/** A word in every text that the team has. */
const mark = "walked";

const addressOf = (asker: string) => `${asker.replaceAll(" ", ".")}@example.com`;

export async function databaseWorld(query: Query): Promise<DatabaseWorld> {
  const names = [...roles, "former owner", "stranger", "owner of another workspace"];
  const askers = names.map((name, n) => ({
    name,
    id: nameOf(n),
    role: roles.find((role) => role === name),
  }));
  const [team, founder, bystander] = [accountId(1), accountId(2), accountId(3)];
  const ids = {
    team,
    founder,
    bystander,
    invitation: accountId(4),
    foreignInvitation: accountId(5),
    workspaceToken: accountId(9),
    passkey: accountId(10),
  };
  for (const { id, name } of askers) await addAccount(query, id, addressOf(name));
  await addAccount(query, founder, "founder@example.com");
  await addAccount(query, bystander, "bystander@example.com");

  await query("insert into public.workspaces (id, slug, name) values ($1, 'walked-team', $2)", [
    team,
    mark,
  ]);
  await join(query, team, founder, "owner");
  await join(query, team, bystander, "viewer");
  for (const { id, role } of askers) if (role) await join(query, team, id, role);
  const idOf = (name: string) => askers.find((each) => each.name === name)?.id ?? "none";
  await join(query, team, idOf("former owner"), "owner");
  await query("delete from public.members where user_id = $1", [idOf("former owner")]);
  await query("select public.create_workspace($1, $2, 'Another')", [
    idOf("owner of another workspace"),
    accountId(6),
  ]);

  const deployment = await newDeployment(query, ids);
  await query("select public.make_connection_test_link($1, $2, $3, $4)", [
    ...[founder, deployment, hashOf(founder), mark],
  ]);
  await query("select public.keep_linked_connection_test($1, '{}')", [hashOf(founder)]);
  await query(
    "select public.make_connection_test_embed($1, $2, $3, array['https://help.example.com'], null)",
    [founder, deployment, mark],
  );
  const deleted = await newDeployment(query, ids);
  await query("select public.delete_deployment($1, $2)", [founder, deleted]);
  const people = [...askers, { id: founder, role: "owner" }, { id: bystander, role: "viewer" }];
  for (const { id, role } of people) {
    if (role) await addOwnRowsOfMember(query, team, id, deployment);
    await addMessage(query, id);
  }
  await addWhatTeamsHave(query, ids);

  const tables = await tablesOfApi(query);
  const tokens = await query<{ id: string; user_id: string }>(
    "select id, user_id from public.api_tokens",
  );
  const marks = [mark, team, deployment, deleted, "cus_team"];
  return {
    query,
    tables,
    contents: await contentsOf(query, tables),
    askers,
    ids,
    deployment,
    deleted,
    tokenOf: (person) => tokens.find((each) => each.user_id === person)?.id ?? accountId(7),
    isTeams: (row) => marks.some((each) => JSON.stringify(row).includes(each)),
  };
}

/** Tables, and whatever else is read like one. */
async function tablesOfApi(query: Query): Promise<string[]> {
  const found = await query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
  );
  return found.map(({ name }) => name);
}

const join = (query: Query, team: string, person: string, role: string) =>
  query("insert into public.members (workspace_id, user_id, role) values ($1, $2, $3)", [
    team,
    person,
    role,
  ]);

async function newDeployment(
  query: Query,
  { founder, team }: DatabaseWorld["ids"],
): Promise<string> {
  const [made] = await query<{ id: string }>(
    "select public.create_deployment($1, $2, '{}', 100, null, $3) as id",
    [founder, mark, team],
  );
  return made?.id ?? "none";
}

/** What a member has in the team and others do not see, or make only for themselves. */
async function addOwnRowsOfMember(query: Query, team: string, person: string, deployment: string) {
  await query(
    `insert into public.unsaved_changes (user_id, workspace_id, deployment_id, changes)
     values ($1, $2, $3, $4)`,
    [person, team, deployment, { domain: { was: "", now: mark } }],
  );
  await query(
    `insert into public.api_tokens (user_id, workspace_id, name, token_hash, ending)
     values ($1, $2, $3, $4, 'abcd')`,
    [person, team, mark, hashOf(person)],
  );
}

/** A message to support and its answer: they are its writer's, member or not. */
async function addMessage(query: Query, person: string) {
  const id = crypto.randomUUID();
  const message = "'writer@example.com', 'support', 'A message that is long enough.'";
  await query(`select public.keep_support_message($1, $2, ${message})`, [id, person]);
  await query("select public.answer_contact_message($1, 'An answer.')", [id]);
}

async function addWhatTeamsHave(
  query: Query,
  { team, founder, invitation, foreignInvitation, workspaceToken, passkey }: DatabaseWorld["ids"],
) {
  await query(
    `insert into public.approver_passkeys
       (id, workspace_id, user_id, name, credential, public_key, fingerprint)
     values ($1, $2, $3, $4, 'a', $5, $6)`,
    [
      ...[passkey, team, founder, mark],
      ...[`MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${"a".repeat(86)}==`, "a".repeat(32)],
    ],
  );
  await query(
    `insert into public.workspace_tokens
       (id, workspace_id, name, token_hash, ending, scopes, made_by, ends_at)
     values ($1, $2, $3, $4, 'abcd', '{deployments:write}', $5, now() + interval '90 days')`,
    [workspaceToken, team, mark, hashOf(workspaceToken), founder],
  );
  await query("select public.begin_api_request($1, $2, $3, 100)", [
    ...[workspaceToken, mark, hashOf(founder)],
  ]);
  for (const model of ["one", "two"]) {
    await query(
      `insert into public.model_configuration_versions
         (user_id, workspace_id, version, model, instructions, voice, transcription_model, saved_by)
       select $1, $2, count(*) + 1, $3, '', 'nova', 'whisper', 'saver'
       from public.model_configuration_versions`,
      [founder, team, model],
    );
  }
  const address = `${mark}@example.com`;
  const invite = "select public.invite($1, $2, $3, $4, 'viewer', 100)";
  await query(invite, [founder, team, invitation, address]);
  await query(invite, [founder, team, foreignInvitation, addressOf("stranger")]);
  await query(
    "insert into public.customers (id, workspace_id, origin, email) values ('cus_team', $1, 'account', $2)",
    [team, address],
  );
  await query(
    `insert into public.subscriptions
       (id, customer_id, status, price_id, plan, unit_amount, currency, billing_interval, created_at)
     values ('sub_team', 'cus_team', 'active', 'price_pro', 'pro', 10999, 'usd', 'month', now())`,
  );
  await query("insert into public.fleets (workspace_id, due_at) values ($1, 'infinity')", [team]);
  const server = { id: accountId(8), workspace: team, deployment: accountId(7), name: mark };
  await query("select public.settle_fleets($1)", [
    JSON.stringify([{ ...server, enrolled: new Date(), retired: null }]),
  ]);
  const details = { text_tokens: 5, audio_tokens: 0, cached_tokens: 0 };
  const usage = {
    total_tokens: 10,
    input_tokens: 5,
    input_token_details: details,
    output_tokens: 5,
    output_token_details: details,
  };
  const reports = [{ event_id: mark, identity: mark, happened_at: new Date(), usage }];
  await query("select public.report_token_usage($1, $2, '{}')", [
    hashOf(founder),
    JSON.stringify(reports),
  ]);
  await query("select public.set_usage_allowance($1, $2, '{}', 5, $3)", [founder, mark, team]);
}
