import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accountId } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";
import {
  type AuditedTeam,
  type AuditLine,
  auditedTeam,
} from "../../support/workspaces/audited-team.ts";

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;
let on: AuditedTeam;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());

beforeEach(async () => {
  on = await auditedTeam(query);
});

const configuration = (actor: string, model = "new") =>
  on.call(
    "save_model_configuration",
    actor,
    "x@example.com",
    1,
    model,
    "Say hello.",
    "nova",
    "w",
    on.team.id,
  );

const spki = `MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${"c".repeat(86)}==`;
const soon = new Date(Date.now() + 86_400_000).toISOString();

/** What somebody does, and the line about it. `actor` is Ada unless the line says otherwise. */
const acts: readonly {
  act: string;
  run(actor: string): Promise<unknown>;
  line: Partial<AuditLine>;
}[] = [
  {
    act: "make a deployment",
    run: (actor) => on.call("create_deployment", actor, "Second", "{}", 9, null, on.team.id),
    line: { action: "deployment.created", target: "Second" },
  },
  {
    act: "save a deployment",
    run: (actor) =>
      on.call(
        "save_deployment",
        actor,
        on.deployment,
        "Server",
        JSON.stringify({ domain: "new.example.com", turn: { port: 443 } }),
        1,
      ),
    line: {
      action: "deployment.saved",
      target: "Server",
      before: { domain: "old.example.com", "turn.port": 3478 },
      after: { domain: "new.example.com", "turn.port": 443 },
    },
  },
  {
    act: "rename a deployment",
    run: (actor) =>
      on.call(
        "save_deployment",
        actor,
        on.deployment,
        "Renamed",
        JSON.stringify({ domain: "old.example.com", turn: { port: 3478 } }),
        1,
      ),
    line: {
      action: "deployment.saved",
      target: "Renamed",
      before: { name: "Server" },
      after: { name: "Renamed" },
    },
  },
  {
    act: "note a version",
    run: (actor) => on.call("note_deployment_version", actor, on.deployment, 1, "A private note"),
    line: { action: "deployment.noted", target: "Server", after: { version: 1 } },
  },
  {
    act: "say which version runs",
    run: (actor) => on.call("apply_deployment_version", actor, on.deployment, 1),
    line: { action: "deployment.applied", before: { version: null }, after: { version: 1 } },
  },
  {
    act: "make a link to a connection test",
    run: (actor) =>
      on.call("make_connection_test_link", actor, on.deployment, "0".repeat(64), "The bank"),
    line: {
      action: "deployment.test-linked",
      target: "Server",
      before: null,
      after: { network: "The bank" },
    },
  },
  {
    act: "end a link to a connection test",
    run: async (actor) => {
      const [link] = await query<{ id: string }>(
        `insert into public.connection_test_links (deployment_id, secret_hash, label)
         values ($1, md5(random()::text) || md5(random()::text), 'The bank') returning id`,
        [on.deployment],
      );
      return on.call("end_connection_test_link", actor, on.deployment, link?.id);
    },
    line: {
      action: "deployment.test-link-ended",
      target: "Server",
      before: null,
      after: { network: "The bank" },
    },
  },
  {
    act: "allow pages to show a connection test",
    run: (actor) =>
      on.call("make_connection_test_embed", actor, on.deployment, "Help", ["https://a.test"], null),
    line: {
      action: "deployment.test-embedded",
      target: "Server",
      before: null,
      after: { place: "Help", origins: ["https://a.test"] },
    },
  },
  {
    act: "end a connection test in a page",
    run: async (actor) => {
      const [embed] = await query<{ id: string }>(
        `insert into public.connection_test_embeds (deployment_id, label, origins)
         values ($1, 'Help', array['https://a.test']) returning id`,
        [on.deployment],
      );
      return on.call("end_connection_test_embed", actor, on.deployment, embed?.id);
    },
    line: {
      action: "deployment.test-embed-ended",
      target: "Server",
      before: null,
      after: { place: "Help" },
    },
  },
  {
    act: "delete a deployment",
    run: (actor) => on.call("delete_deployment", actor, on.deployment),
    line: { action: "deployment.deleted", target: "Server" },
  },
  {
    act: "restore a deployment",
    run: (actor) => on.call("restore_deployment", actor, on.deleted, 9),
    line: { action: "deployment.restored", target: "Server" },
  },
  {
    act: "tick a step",
    run: (actor) => on.call("set_deployment_tick", actor, on.deployment, "dns", true, 1, "hand"),
    line: { action: "deployment.ticked", after: { step: "dns", done: true } },
  },
  {
    act: "set a server's address",
    run: (actor) => on.call("set_server_address", actor, on.deployment, "192.0.2.1", "", 1),
    line: {
      action: "deployment.addressed",
      before: { ipv4: null, ipv6: null },
      after: { ipv4: "192.0.2.1", ipv6: null },
    },
  },
  {
    act: "save a configuration",
    run: (actor) => configuration(actor),
    line: {
      action: "configuration.saved",
      target: "v2",
      before: { model: "m", instructions: "" },
      after: { model: "new", instructions: "Say hello." },
    },
  },
  {
    act: "restore a configuration",
    run: (actor) => on.call("restore_model_configuration", actor, "x@example.com", 1, on.team.id),
    line: { action: "configuration.restored", target: "v2", after: { restored: 1 } },
  },
  {
    act: "make a token",
    run: (actor) =>
      on.call("create_api_token", actor, "Second", "b".repeat(64), "wxyz", 9, on.team.id),
    line: {
      action: "token.created",
      target: "Second",
      after: { scopes: ["configuration", "usage"], ends: null },
    },
  },
  {
    act: "revoke a token",
    run: (actor) => on.call("revoke_api_token", actor, on.token),
    line: { action: "token.revoked", target: "Agent", before: { of: "ada@example.com" } },
  },
  {
    act: "make a token of the workspace",
    run: (actor) =>
      on.call(
        ...(["create_workspace_token", actor, on.team.id, "CI", "b".repeat(64), "wxyz"] as const),
        ...(["{servers:read}", soon, 9] as const),
      ),
    line: {
      ...{ action: "workspace.token-made", target: "CI" },
      after: { scopes: ["servers:read"], ends: expect.any(String) },
    },
  },
  {
    act: "revoke a token of the workspace",
    run: (actor) => on.call("revoke_workspace_token", actor, on.team.id, on.workspaceToken),
    line: {
      ...{ action: "workspace.token-revoked", target: "CI" },
      before: { scopes: ["servers:read"], ends: expect.any(String) },
    },
  },
  {
    act: "add a passkey for rollouts",
    run: (actor) =>
      on.call(
        ...(["add_approver_passkey", actor, on.team.id, "Key", "c"] as const),
        ...([spki, "c".repeat(32), 5] as const),
      ),
    line: {
      ...{ action: "approver.added", target: "Key", after: { fingerprint: "c".repeat(32) } },
    },
  },
  {
    act: "let two people approve each rollout",
    run: (actor) => on.call("set_approvals_needed", actor, on.team.id, 2),
    line: { action: "approver.number-set", before: { people: 1 }, after: { people: 2 } },
  },
  {
    act: "set an allowance",
    run: (actor) => on.call("set_usage_allowance", actor, "carol", [], 900, on.team.id),
    line: { action: "allowance.set", target: "carol", before: null, after: { tokens: 900 } },
  },
  {
    act: "change an allowance",
    run: (actor) => on.call("set_usage_allowance", actor, "dora", [], 900, on.team.id),
    line: { action: "allowance.set", before: { tokens: 5 }, after: { tokens: 900 } },
  },
  {
    act: "take an allowance away",
    run: (actor) => on.call("set_usage_allowance", actor, "dora", [], null, on.team.id),
    line: { action: "allowance.taken", target: "dora", before: { tokens: 5 }, after: null },
  },
  {
    act: "invite somebody",
    run: (actor) =>
      on.call("invite", actor, on.team.id, accountId(902), "new@example.com", "admin", 100),
    line: { action: "member.invited", target: "new@example.com", after: { role: "admin" } },
  },
  {
    act: "send an invitation again",
    run: (actor) => on.call("resend_invitation", actor, on.team.id, on.invitation),
    line: { action: "invitation.resent", target: "ben@example.com" },
  },
  {
    act: "withdraw an invitation",
    run: (actor) => on.call("withdraw_invitation", actor, on.team.id, on.invitation),
    line: { action: "invitation.withdrawn", target: "ben@example.com" },
  },
  {
    act: "change a role",
    run: (actor) => on.call("change_role", actor, on.team.id, on.cat, "admin"),
    line: {
      action: "member.role-changed",
      target: "cat@example.com",
      before: { role: "viewer" },
      after: { role: "admin" },
    },
  },
  {
    act: "remove a member",
    run: (actor) => on.call("remove_member", actor, on.team.id, on.cat),
    line: { action: "member.removed", target: "cat@example.com", before: { role: "viewer" } },
  },
  {
    act: "hand the workspace over",
    run: (actor) => on.call("hand_over", actor, on.team.id, on.cat),
    line: {
      action: "workspace.handed-over",
      target: "cat@example.com",
      before: { role: "viewer" },
      after: { role: "owner" },
    },
  },
  {
    act: "rename the workspace",
    run: (actor) => on.call("rename_workspace", actor, on.team.id, "Acme"),
    line: { action: "workspace.renamed", before: { name: "Team" }, after: { name: "Acme" } },
  },
];

describe.each(acts)("to $act", ({ run, line }) => {
  test("leaves one line: who, what, on what, before and after", async () => {
    await run(on.ada);
    const [first, ...more] = await on.lines();
    expect(first).toMatchObject({ actor: on.ada, actor_address: "ada@example.com", ...line });
    expect(more).toEqual([]);
  });

  test("leaves none where it was refused", async () => {
    for (const person of [on.cat, on.ben, accountId(99)]) await run(person).catch(() => undefined);
    expect(await on.lines()).toEqual([]);
  });
});
