import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Scope, scopes } from "../../../app/features/api/scopes.ts";
import { ApiClient, endToken } from "../../support/api/api-client.ts";
import { type ApiTeam, apiTeam } from "../../support/api/api-team.ts";
import { DescribedApi } from "../../support/api/described-api.ts";
import { contentsOf } from "../../support/database/changed-tables.ts";
import { webhookAddress } from "../../support/servers/arrived.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { pollUntil } from "../../support/site/poll.ts";

let api: DescribedApi;
let team: ApiTeam;
let other: ApiTeam;

beforeAll(async () => {
  await resetFakes();
  api = await DescribedApi.served();
  team = await apiTeam("okapi");
  other = await apiTeam("zebra");
}, 60_000);
beforeEach(async () => {
  if (webhooks.size > 0) return;
  for (const each of [team, other]) webhooks.set(each, await addWebhook(each));
});
afterAll(resetFakes);

/** A webhook of each workspace, and an event that it got. */
const webhooks = new Map<ApiTeam, { id: string; event: string }>();
const webhookOf = (team: ApiTeam) => webhooks.get(team) ?? { id: "none", event: "none" };

const secret = `whsec_${btoa("n".repeat(32))}`;
const newWebhook = () => ({ url: webhookAddress("walk"), events: ["people"], secret });

const clientOf = async (of: ApiTeam) =>
  new ApiClient(api, await of.token(["webhooks:write"], "Webhooks"));

async function addWebhook(of: ApiTeam) {
  const client = await clientOf(of);
  const added = await client.call("POST", "/webhooks", { body: newWebhook() });
  const { id } = added.value as { id: string };
  const tested = await client.call("POST", `/webhooks/${id}/tests`, { body: {} });
  return { id, event: (tested.value as { id: string }).id };
}

/** Waits until no event of the webhook waits: one that does is not sent once more. */
async function settleEvents(of: ApiTeam) {
  const client = await clientOf(of);
  await pollUntil(
    () => client.get(`/webhooks/${webhookOf(of).id}`),
    ({ value }) => (value as { waiting: number }).waiting === 0,
  );
}

/** Without it a workspace would soon have as many as it may. */
async function leaveOneWebhook(of: ApiTeam) {
  const { value } = await (await clientOf(of)).get("/webhooks");
  for (const { id } of (value as { items: { id: string }[] }).items) {
    if (id === webhookOf(of).id) continue;
    await of.browser.post("/dashboard/webhooks", { intent: "remove-webhook", webhook: id });
  }
}

type Line = {
  /** The scope that it needs; undefined where any token may. */
  scope: Scope | undefined;
  /** Another one that opens it. */
  or?: Scope;
  /** A good call: its path with the ids of a workspace, and its body. */
  path: (of: ApiTeam) => string;
  body?: (of: ApiTeam) => unknown;
  headers?: Record<string, string>;
  done: number;
  /** Whether it names something of the workspace; a list does not, and shows each its own. */
  names?: true;
};

const until = () => new Date(Date.now() + 3_600_000).toISOString();
const ofDeployment = (rest: string) => ({
  ...({ scope: "deployments:read", done: 200, names: true } as const),
  path: ({ deployment }: ApiTeam) => `/deployments/${deployment}${rest}`,
});
const ofServer = (rest: string, scope: Scope = "servers:read") => ({
  ...({ scope, done: 200, names: true } as const),
  path: ({ server }: ApiTeam) => `/servers/${server}${rest}`,
});
const list = (path: string, scope: Scope) => ({ scope, path: () => path, done: 200 });
const ofWebhook = (rest: string, scope: Scope = "webhooks:write") => ({
  ...({ scope, done: 200, names: true } as const),
  path: (team: ApiTeam) => `/webhooks/${webhookOf(team).id}${rest}`,
});
const saved = ({ options }: ApiTeam) => ({ name: "Walked", options });

/** Every operation of the description, with the one scope that opens it. */
const lines: Readonly<Record<string, Line>> = {
  getToken: { scope: undefined, path: () => "/token", done: 200 },
  listDeployments: list("/deployments", "deployments:read"),
  createDeployment: {
    ...{ scope: "deployments:write", path: () => "/deployments", body: saved, done: 201 },
  },
  getDeployment: ofDeployment(""),
  saveDeployment: {
    ...{ ...ofDeployment(""), scope: "deployments:write", body: saved },
    headers: { "if-match": "*" },
  },
  compareDeployment: { ...ofDeployment("/comparison"), body: ({ options }) => ({ options }) },
  listVersions: ofDeployment("/versions"),
  getVersion: ofDeployment("/versions/1"),
  getDifference: ofDeployment("/versions/2/diff"),
  listFiles: ofDeployment("/versions/1/files"),
  listServers: list("/servers", "servers:read"),
  getServer: ofServer(""),
  listFindings: ofServer("/findings"),
  getFigures: ofServer("/figures"),
  listMaintenance: list("/maintenance", "servers:read"),
  beginMaintenance: {
    ...ofServer("/maintenance", "servers:write"),
    or: "alerts:write",
    body: () => ({ until: until() }),
  },
  endMaintenance: {
    ...{ ...ofServer("/maintenance", "servers:write"), or: "alerts:write", done: 204 },
  },
  listRollouts: ofServer("/rollouts"),
  requestRollout: {
    ...{ ...ofServer("/rollouts", "servers:write"), done: 201, body: () => ({}) },
  },
  getRollout: {
    ...{ scope: "servers:read", done: 200, names: true },
    path: ({ server, rollout }) => `/servers/${server}/rollouts/${rollout}`,
  },
  listIncidents: list("/incidents", "servers:read"),
  getIncident: {
    ...{ scope: "servers:read", done: 200, names: true },
    path: ({ incident }) => `/incidents/${incident}`,
  },
  acknowledgeIncident: {
    ...{ scope: "alerts:write", or: "servers:write", done: 200, names: true, body: () => ({}) },
    path: ({ incident }) => `/incidents/${incident}/acknowledgement`,
  },
  snoozeIncident: {
    ...{ scope: "alerts:write", or: "servers:write", done: 200, names: true },
    path: ({ incident }) => `/incidents/${incident}/snooze`,
    body: () => ({ until: until() }),
  },
  getMetrics: list("/metrics", "servers:read"),
  listWebhooks: list("/webhooks", "webhooks:read"),
  addWebhook: {
    ...{ scope: "webhooks:write", path: () => "/webhooks", done: 201 },
    body: newWebhook,
  },
  getWebhook: ofWebhook("", "webhooks:read"),
  changeWebhook: {
    ...ofWebhook(""),
    body: () => ({ events: ["people", "alerts"], enabled: true }),
  },
  changeWebhookSecret: { ...ofWebhook("/secret"), body: () => ({ secret }) },
  testWebhook: { ...ofWebhook("/tests"), body: () => ({}) },
  listWebhookDeliveries: ofWebhook("/deliveries", "webhooks:read"),
  repeatWebhookEvent: {
    ...ofWebhook("/deliveries"),
    path: (team) => {
      const { id, event } = webhookOf(team);
      return `/webhooks/${id}/deliveries/${event}/repeats`;
    },
    body: () => ({}),
  },
  listSessions: ofServer("/sessions", "sessions:read"),
  getSession: {
    ...{ scope: "sessions:read", done: 200, names: true },
    path: ({ server, session }) => `/servers/${server}/sessions/${session}`,
  },
  listChannels: list("/channels", "alerts:read"),
};

/** Each operation by its id, with its method. */
const methods = () =>
  new Map(
    Object.entries(api.description.paths)
      .filter(([path]) => path.startsWith("/api/v1/"))
      .flatMap(([, all]) =>
        Object.entries(all).map(([method, { operationId }]) => [operationId, method.toUpperCase()]),
      ),
  );

const send = (client: ApiClient, id: string, of: ApiTeam) => {
  const { path, body, headers } = lines[id] as Line;
  return client.call(methods().get(id) ?? "", path(of), {
    ...(body ? { body: body(of) } : {}),
    ...(headers ? { headers } : {}),
  });
};

/** What of a workspace is in PostgreSQL, but for what each call counts. */
const rowsOf = async (workspace: string) => {
  const tables = ["deployments", "audit_log", "api_requests", "workspace_tokens"];
  const all = await contentsOf(
    runSql,
    tables,
    `t.row ~ '${workspace}' and t.row !~ 'last_used_on'`,
  );
  return JSON.stringify([...Object.entries(all)]);
};

test("every operation has a line, and every line an operation", () => {
  expect(Object.keys(lines).toSorted()).toEqual([...methods().keys()].toSorted());
});

test.each(scopes)(
  "a token with %s does what that scope opens, and is refused all else",
  async (scope) => {
    const client = new ApiClient(api, await team.token([scope], `Only ${scope}`));
    await leaveOneWebhook(team);
    for (const [id, { scope: needed, or, done }] of Object.entries(lines)) {
      if (id === "repeatWebhookEvent") await settleEvents(team);
      const { status, value } = await send(client, id, team);
      const isOpen =
        needed === undefined ||
        [needed, or].includes(scope) ||
        needed === scope.replace("write", "read");
      const code = isOpen ? undefined : "missing-scope";
      expect
        .soft([id, status, (value as { code?: string } | undefined)?.code])
        .toEqual([id, isOpen ? done : 403, code]);
    }
  },
);

test("a token with every scope reads and changes nothing of another workspace", async () => {
  const client = new ApiClient(api, await team.token(scopes, "All"));
  await leaveOneWebhook(team);
  const before = await rowsOf(other.workspace);
  for (const [id, { names, done }] of Object.entries(lines)) {
    const { status, value } = await send(client, id, names ? other : team);
    expect.soft([id, status]).toEqual([id, names ? 404 : done]);
    expect.soft(JSON.stringify(value) ?? "", id).not.toContain("zebra");
  }
  expect(await rowsOf(other.workspace)).toBe(before);
});

test.each(["revoked", "ended", "made up", "of an agent", "none"])(
  "a token that is %s opens nothing, and every refusal is the same",
  async (kind) => {
    const token = await team.token(scopes, `Gone ${kind}`);
    if (kind === "revoked") {
      await runSql("delete from public.workspace_tokens where ending = $1", [token.slice(-4)]);
    }
    if (kind === "ended") await endToken(token);
    const sent: Record<string, string | undefined> = {
      ...{ revoked: token, ended: token, "made up": `lkd_w_${"x".repeat(43)}` },
      "of an agent": `lkd_${token.slice("lkd_w_".length)}`,
    };
    const client = new ApiClient(api, sent[kind]);
    const answers = new Set<string>();
    for (const id of Object.keys(lines)) {
      const { status, value, headers } = await send(client, id, team);
      expect.soft([id, status, headers.get("www-authenticate")]).toEqual([id, 401, "Bearer"]);
      const { request_id: _, ...said } = value as Record<string, unknown>;
      answers.add(JSON.stringify(said));
    }
    expect(answers.size).toBe(1);
  },
);
