import { afterAll, beforeAll, expect, test } from "vitest";
import { type Scope, scopes } from "../../../app/features/api/scopes.ts";
import { ApiClient, endToken } from "../../support/api/api-client.ts";
import { type ApiTeam, apiTeam } from "../../support/api/api-team.ts";
import { DescribedApi } from "../../support/api/described-api.ts";
import { contentsOf } from "../../support/database/changed-tables.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";

let api: DescribedApi;
let team: ApiTeam;
let other: ApiTeam;

beforeAll(async () => {
  await resetFakes();
  api = await DescribedApi.served();
  team = await apiTeam("okapi");
  other = await apiTeam("zebra");
}, 60_000);
afterAll(resetFakes);

type Line = {
  /** The scope that it needs; undefined where any token may. */
  scope: Scope | undefined;
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
    body: () => ({ until: until() }),
  },
  endMaintenance: { ...ofServer("/maintenance", "servers:write"), done: 204 },
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
    ...{ scope: "servers:write", done: 200, names: true, body: () => ({}) },
    path: ({ incident }) => `/incidents/${incident}/acknowledgement`,
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
    for (const [id, { scope: needed, done }] of Object.entries(lines)) {
      const { status, value } = await send(client, id, team);
      const isOpen =
        needed === undefined || needed === scope || needed === scope.replace("write", "read");
      const code = isOpen ? undefined : "missing-scope";
      expect
        .soft([id, status, (value as { code?: string } | undefined)?.code])
        .toEqual([id, isOpen ? done : 403, code]);
    }
  },
);

test("a token with every scope reads and changes nothing of another workspace", async () => {
  const client = new ApiClient(api, await team.token(scopes, "All"));
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
