import { beforeAll, expect, test } from "vitest";
import type { DatabaseDescription } from "../../../scripts/generate/database-types/description.ts";
import { changeOwn, newTokenOf, report, reportOf } from "../../support/agents/agent.ts";
import {
  askDatabase,
  describedDatabase,
  everyRow,
  tableNames,
} from "../../support/attacks/stored-rows.ts";
import { database, inviteSomebody, userIdOf } from "../../support/database/database.ts";
import { openDatabase } from "../../support/database/open-database.ts";
import { customer, newDeployment } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import type { Visitor } from "../../support/site/visitor.ts";

/**
 * What a signed-in person may read of their own. A new table is not among them until it is written
 * here: then the first test says that only its owner reads it.
 */
const columnsOfPerson: Readonly<Record<string, string>> = {
  api_tokens: "id,user_id,workspace_id,name,ending,scopes,created_at,ends_at,last_used_at",
  audit_log: "id,workspace_id,at,actor,actor_address,action,target,target_id,network,before,after",
  connection_test_embeds: "*",
  connection_test_links: "id,deployment_id,label,created_at,expires_at,ended_at",
  connection_tests: "*",
  contact_answers: "*",
  contact_messages: "id,user_id,topic,message,created_at,deployment_id,deployment_version,status",
  customers: "*",
  deployments: "*",
  deployment_versions: "*",
  invitations: "id,workspace_id,address,role,invited_by,sends,created_at,expires_at",
  members: "workspace_id,user_id,role,joined_at",
  model_configuration_versions: "*",
  servers: "id,workspace_id,deployment_id,name,enrolled_at,retired_at",
  subscriptions: "*",
  token_allowances: "*",
  token_usage_days: "*",
  token_usage_events: "*",
  unsaved_changes: "*",
  workspaces: "id,slug,name,needs_second_factor,created_at",
};
/** Functions that answer a person about their own rows, as row-level security shows them. */
const functionsOfPerson = new Set([
  "token_usage_statistics",
  "may_read_own",
  "my_workspaces",
  "my_trial",
  "token_holders",
  "own_workspace",
  "workspaces_where",
  "plans_of",
]);

let described: DatabaseDescription;
let tables: string[];
let ownerId: string;
const people: Record<"owner" | "stranger", string> = { owner: "", stranger: "" };

beforeAll(async () => {
  described = await describedDatabase();
  tables = described.tables.map(({ name }) => name);
  await resetFakes();
  const owner = await customer("pro");
  const stranger = await customer("pro", "customer.two@example.com");
  ownerId = await userIdOf("customer.one@example.com");
  const deployment = await newDeployment(owner);
  await inviteSomebody(ownerId);
  // The cron copies them from the servers Worker.
  await runSql(
    `insert into public.servers (id, workspace_id, deployment_id, name, enrolled_at)
     values (gen_random_uuid(), $1, $2, 'sfu-1', now())`,
    [ownerId, deployment],
  );
  await runSql(
    `with link as (
       insert into public.connection_test_links (deployment_id, secret_hash, label)
       values ($1, repeat('0', 64), 'Office') returning id
     )
     insert into public.connection_tests (deployment_id, link_id, result) select $1, id, '{}' from link`,
    [deployment],
  );
  await runSql(
    `insert into public.connection_test_embeds (deployment_id, label, origins)
     values ($1, 'Help', array['https://help.example.com'])`,
    [deployment],
  );
  const unsaved = { step: "domain", version: "1", domain: "unsaved.mycompany.com" };
  await owner.post(`/dashboard/deployments/${deployment}/unsaved`, unsaved);
  const configuration = { model: "m", instructions: "", voice: "nova" };
  const rest = { "inputAudioTranscription.model": "w", version: "0" };
  await changeOwn(owner, { intent: "save", ...configuration, ...rest });
  await changeOwn(owner, { intent: "set-allowance", identity: "ada", tokens: "900" });
  await report(await newTokenOf(owner), reportOf("event", "ada"));
  const message = { topic: "support", message: "A message that is long enough." };
  await owner.post("/contact", { ...message, name: "Ada", email: "ada@example.com" });
  const sent = await owner.post("/dashboard/support", { ...message, deployment: "" });
  const id = new URL(sent.headers.get("location") ?? "", owner.siteUrl).searchParams.get("sent");
  await database
    .rpc("answer_contact_message", { message: id ?? "", answer: "An answer." })
    .throwOnError();
  people.owner = tokenOf(owner);
  people.stranger = tokenOf(stranger);
});

function tokenOf(visitor: Visitor): string {
  return visitor.sessionSecrets().find(({ name }) => name === "access_token")?.value ?? "";
}

test("a person reads their own rows of the tables that are named here, and no other table", async () => {
  expect(tables.length).toBeGreaterThan(10);
  expect(tableNames()).toEqual(tables);
  for (const table of tables) {
    const columns = columnsOfPerson[table];
    const path = `${table}?select=${columns ?? "*"}`;
    const ownersRows = await askDatabase(path, { token: people.owner });
    if (columns === undefined)
      expect.soft([401, 403], `${table}: ${ownersRows.status}`).toContain(ownersRows.status);
    else expect.soft((await ownersRows.json()) as unknown[], table).not.toEqual([]);
  }
  expect(Object.keys(columnsOfPerson).filter((table) => !tables.includes(table))).toEqual([]);
});

testInProof("nobody reads a row of another person's, whatever they filter or join", async () => {
  const ofOwner = JSON.stringify(await everyRow(tables));
  expect(ofOwner).toContain(ownerId);
  for (const table of tables) {
    const columns = columnsOfPerson[table] ?? "*";
    const owners = described.tables
      .filter(({ name }) => name === table)
      .flatMap(({ columns }) => columns.map(({ name }) => name))
      .filter((name) => ["user_id", "workspace_id", "personal_of"].includes(name));
    // The owner's workspace has the same id as they: it is their first personal workspace.
    const filters = owners.flatMap((name) => [`&${name}=eq.${ownerId}`, `&${name}=not.is.null`]);
    for (const filter of ["", ...filters]) {
      const path = `${table}?select=${columns}${filter}`;
      const asStranger = await (await askDatabase(path, { token: people.stranger })).text();
      expect.soft(asStranger, path).not.toContain(ownerId);
      const asAnybody = await askDatabase(path, {});
      expect.soft([401, 403], `${path}: ${asAnybody.status}`).toContain(asAnybody.status);
    }
  }
  const joins = described.tables.flatMap(({ name, relationships }) =>
    relationships.map(({ referencedTable }) => `${name}?select=*,${referencedTable}(*)`),
  );
  expect(joins).not.toEqual([]);
  for (const path of joins) {
    const answer = await askDatabase(path, { token: people.stranger });
    expect.soft(answer.status, path).toBeLessThan(500);
    expect.soft(await answer.text(), path).not.toContain(ownerId);
  }
});

testInProof(
  "nobody inserts, changes or deletes a row of any table, their own neither",
  async () => {
    const before = await everyRow(tables);
    for (const { name, columns } of described.tables) {
      const [column] = columns;
      const key = columns.some((each) => each.name === "user_id") ? "user_id" : column?.name;
      const row = Object.fromEntries(columns.map((each) => [each.name, sampleOf(each.type)]));
      const writes: [method: string, path: string, body?: object][] = [
        ["POST", name, row],
        ["POST", `${name}?on_conflict=${column?.name}`, row],
        ["PATCH", `${name}?${key}=not.is.null`, { [key ?? ""]: row[key ?? ""] }],
        ["DELETE", `${name}?${key}=not.is.null`],
      ];
      for (const token of [undefined, people.owner, people.stranger]) {
        for (const [method, path, body] of writes) {
          const { status } = await askDatabase(path, {
            method,
            ...(token && { token }),
            ...(body && { body }),
          });
          expect.soft([401, 403], `${method} ${path}: ${status}`).toContain(status);
        }
      }
    }
    expect(await everyRow(tables)).toEqual(before);
  },
);

testInProof(
  "nobody calls a function of the database, but to ask about their own rows",
  async () => {
    const before = await everyRow(tables);
    expect(described.functions.length).toBeGreaterThan(12);
    for (const { name, arguments: expected } of described.functions) {
      const body = Object.fromEntries(expected.map((each) => [each.name, sampleOf(each.type)]));
      for (const [who, token] of Object.entries({ anybody: undefined, ...people })) {
        const call = { method: "POST", body, ...(token && { token }) };
        const answer = await askDatabase(`rpc/${name}`, call);
        if (token && functionsOfPerson.has(name)) {
          expect.soft(answer.status, `${name} for the ${who}`).toBe(200);
          const reply = JSON.stringify(await answer.json());
          if (who === "stranger") expect.soft(reply).not.toContain("ada");
        } else {
          expect.soft([401, 403], `${name} for ${who}: ${answer.status}`).toContain(answer.status);
        }
      }
    }
    expect(await everyRow(tables)).toEqual(before);
  },
);

testInProof("a person reads only their own workspaces, whatever they ask for", async () => {
  const ask = async (token: string, wanted: string) => {
    const call = { method: "POST", token, body: { wanted } };
    return (await (await askDatabase("rpc/workspaces_where", call)).json()) as unknown;
  };
  const [personal] = (await everyRow(["workspaces"])).workspaces as { id: string }[];
  expect(await ask(people.owner, "see")).toEqual([personal?.id]);
  for (const wanted of ["see", "own", "", "see' or true"]) {
    expect(JSON.stringify(await ask(people.stranger, wanted))).not.toContain(personal?.id);
  }
  const mine = async (token: string) =>
    (await askDatabase("rpc/my_workspaces", { method: "POST", token, body: {} })).text();
  expect(await mine(people.owner)).toContain(personal?.id);
  expect(await mine(people.stranger)).not.toContain(personal?.id);
});

testInProof("a person reads which plans their own workspaces have, and of no other's", async () => {
  const ask = async (token: string) => {
    const call = { method: "POST", token, body: { workspace: ownerId } };
    return (await (await askDatabase("rpc/plans_of", call)).json()) as unknown;
  };
  expect(await ask(people.owner)).toMatchObject([{ status: "active", plan: "pro" }]);
  expect(await ask(people.stranger)).toEqual([]);
});

testInProof(
  "the public roles may execute the functions that are named here and no other, new ones neither",
  async () => {
    const { close, database } = await openDatabase();
    await database.exec(
      "create function public.a_new_one() returns int language sql as 'select 1'",
    );
    const { rows } = await database.query<{ name: string; by: string }>(
      `select p.proname as name, r.rolname as by
     from pg_proc p cross join pg_roles r
     where p.pronamespace = 'public'::regnamespace and r.rolname in ('anon', 'authenticated')
       and has_function_privilege(r.oid, p.oid, 'execute')
     order by p.proname`,
    );
    const { rows: all } = await database.query<{ name: string }>(
      "select proname as name from pg_proc where pronamespace = 'public'::regnamespace",
    );
    await close();
    expect(all.length).toBeGreaterThan(30);
    expect(all.map(({ name }) => name)).toContain("a_new_one");
    expect(rows).toEqual(
      [...functionsOfPerson].toSorted().map((name) => ({ name, by: "authenticated" })),
    );
  },
);

testInProof("no sequence and no default privilege is left to the public roles", async () => {
  const { close, database } = await openDatabase();
  const { rows: sequences } = await database.query<{ name: string; open: boolean }>(
    `select c.relname as name,
       has_sequence_privilege('anon', c.oid, 'usage, select, update')
         or has_sequence_privilege('authenticated', c.oid, 'usage, select, update') as open
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and n.nspname = 'public'`,
  );
  const { rows: defaults } = await database.query<{ acl: string }>(
    `select array_to_string(d.defaclacl, ' ') as acl from pg_default_acl d
     join pg_namespace n on n.oid = d.defaclnamespace
     where n.nspname = 'public' and d.defaclobjtype in ('S', 'f')`,
  );
  await close();
  expect(sequences.map(({ name }) => name)).toContain("sync_tickets");
  expect(sequences.filter(({ open }) => open)).toEqual([]);
  expect(defaults.filter(({ acl }) => /\b(?:anon|authenticated)=/.test(acl))).toEqual([]);
});

testInProof("nobody reaches the auth server's own tables, or its administration", async () => {
  for (const token of [undefined, people.stranger]) {
    for (const path of ["users", "auth.users", "sessions", "refresh_tokens", "identities"]) {
      const answer = await askDatabase(path, token ? { token } : {});
      expect.soft(answer.status, path).toBeGreaterThanOrEqual(400);
      expect.soft(await answer.text(), path).not.toContain("@example.com");
    }
  }
  const { data } = await database.auth.admin.listUsers();
  expect(data.users.map(({ email }) => email)).toContain("customer.one@example.com");
});

/** Some value of a type; a person's id is the owner's. */
function sampleOf(type: string): unknown {
  switch (type) {
    case "uuid":
      return ownerId;
    case "bool":
      return true;
    case "int2":
    case "int4":
    case "int8":
      return 1;
    case "json":
    case "jsonb":
      return {};
    case "date":
      return "2026-10-05";
    case "timestamp":
    case "timestamptz":
      return "2026-10-05T12:00:00Z";
    default:
      return type.startsWith("_") ? [] : "x";
  }
}
