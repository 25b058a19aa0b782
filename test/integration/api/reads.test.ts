import { beforeAll, beforeEach, expect, test } from "vitest";
import { scopes } from "../../../app/features/api/scopes.ts";
import { ApiClient } from "../../support/api/api-client.ts";
import { type ApiTeam, apiTeam } from "../../support/api/api-team.ts";
import { DescribedApi } from "../../support/api/described-api.ts";
import { parsedExposition } from "../../support/api/exposition-parser.ts";
import { storeDeployment } from "../../support/deployments/deployments.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";

let api: DescribedApi;
let team: ApiTeam;
let client: ApiClient;

beforeAll(async () => {
  api = await DescribedApi.served();
});
beforeEach(async () => {
  await resetFakes();
  team = await apiTeam("okapi");
  client = new ApiClient(api, await team.token(scopes));
});

/** Every page of a list, by its cursors. */
async function all(path: string): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  do {
    const { status, value } = await client.get(
      cursor === null ? path : `${path}?${new URLSearchParams({ cursor })}`,
    );
    expect(status).toBe(200);
    const page = value as { items: Record<string, unknown>[]; next_cursor: string | null };
    found.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

test("a deployment is read with its versions, what differs between them, and their files", async () => {
  const path = `/deployments/${team.deployment}`;
  const [listed] = await all("/deployments");
  const { value: deployment } = await client.get(path);
  expect(deployment).toEqual(listed);
  expect(deployment).toMatchObject({
    ...{ id: team.deployment, name: "Production", version: 2 },
    options: { domain: "okapi.example.com", monitoring: "basic" },
  });
  expect(await all(`${path}/versions`)).toMatchObject([{ version: 2 }, { version: 1 }]);
  const { value: first } = await client.get(`${path}/versions/1`);
  expect(first).toMatchObject({ version: 1, options: { monitoring: "advanced" } });
  const { value: difference } = await client.get(`${path}/versions/2/diff`);
  expect(difference).toMatchObject({ from: 1, to: 2, changes_machine: true });
  const { files } = difference as { files: { name: string; change: string; diff: string }[] };
  const compose = files.find(({ name }) => name === "docker-compose.yaml");
  expect(compose?.diff).toMatch(/^@@ -\d+,\d+ \+\d+,\d+ @@\n/);
  expect((await client.get(`${path}/versions/2/diff?from=2`)).value).toMatchObject({ files: [] });
  const { value } = await client.get(`${path}/versions/2/files`);
  const { items } = value as { items: { name: string; content: string }[] };
  const shown = await team.browser.request(
    `/dashboard/deployments/${team.deployment}/files/livekit.yaml`,
  );
  expect(items.find(({ name }) => name === "livekit.yaml")?.content).toBe(await shown.text());
});

test("25 deployments are read page by page, each once, and a deleted one never", async () => {
  for (let nth = 1; nth <= 25; nth += 1) {
    await storeDeployment(team.email, team.options, `Further ${nth}`);
  }
  await runSql("update public.deployments set deleted_at = now() where name = 'Further 7'");
  const names = (await all("/deployments")).map(({ name }) => name);
  expect(names).toHaveLength(25);
  expect(new Set(names).size).toBe(25);
  expect(names).not.toContain("Further 7");
  const [row] = await runSql<{ id: string }>(
    "select id from public.deployments where name = 'Further 7'",
  );
  expect((await client.get(`/deployments/${row?.id}`)).status).toBe(404);
  expect((await client.get(`/deployments/${row?.id}/versions`)).status).toBe(404);
});

test("a server is read with its findings, what to do about each, and its figures", async () => {
  const path = `/servers/${team.server}`;
  const { value: server } = await client.get(path);
  expect(await all("/servers")).toEqual([server]);
  expect(server).toMatchObject({
    ...{ id: team.server, deployment: team.deployment, state: { code: "degraded" } },
    incident: { id: team.incident, severity: "page" },
    findings: [{ code: "turn.udp.silent" }],
  });
  expect((await client.get(`${path}/findings`)).value).toMatchObject({
    items: [{ code: "turn.udp.silent", severity: "critical", advice: expect.any(String) }],
  });
  const { value } = await client.get(`${path}/figures?range=1h`);
  expect(value).toMatchObject({ range: "1h", step_seconds: 60 });
  const { figures } = value as { figures: Record<string, { mean: (number | null)[] }> };
  expect(figures.load?.mean).toHaveLength(60);
});

test("figures for Prometheus are those that the server's own address and its page have", async () => {
  await team.machine.report(4, [
    ...["load\t0.5", "cpus\t4", "memory\t2000\t8000", "disk\t10000\t40000"],
    ...["metric\trooms\t2", "metric\tparticipants\t5", "metric\ttracks-published\t7"],
    "finding\tturn.udp.silent\tcritical\t\t\t",
  ]);
  const { value, headers } = await client.get("/metrics");
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(headers.get("cache-control")).toBe("private, no-cache");
  const families = parsedExposition(String(value));
  const sample = (name: string) => families.get(`livekit_deploy_server_${name}`)?.samples[0];
  expect(sample("info")?.labels).toMatchObject({ server: team.server, state: "degraded" });
  expect([sample("up")?.value, sample("healthy")?.value]).toEqual([1, 0]);
  const { value: figures } = await client.get(`/servers/${team.server}/figures?range=1h`);
  const mean = (figure: string) => {
    const all = (figures as { figures: Record<string, { mean: (number | null)[] }> }).figures;
    return all[figure]?.mean.findLast((each) => each !== null);
  };
  expect({ memory: mean("memory"), people: mean("participants") }).toEqual({
    ...{ memory: 2_000, people: 5 },
  });
  expect(sample("memory_used_bytes")?.value).toBe(2_000 * 1024);
  expect(sample("memory_size_bytes")?.value).toBe(8_000 * 1024);
  expect(sample("disk_used_bytes")?.value).toBe((mean("disk") ?? 0) * 1024);
  expect(sample("load1")?.value).toBeCloseTo(mean("load") ?? -1, 2);
  expect(sample("participants")?.value).toBe(5);
  expect(sample("tracks_published")?.value).toBe(7);
  const { value: one } = await client.get(`/servers/${team.server}`);
  expect(sample("last_report_timestamp_seconds")?.value).toBe(
    Date.parse((one as { last_report_at: string }).last_report_at) / 1_000,
  );
  const open = await client.get("/metrics", { accept: "application/openmetrics-text" });
  expect(open.headers.get("content-type")).toMatch(/^application\/openmetrics-text; version=1/);
  expect(String(open.value)).toMatch(/# EOF\n$/);
});

test("incidents, maintenance windows and channels are read, and no secret of a channel is", async () => {
  expect(await all("/incidents?state=open")).toMatchObject([
    { id: team.incident, severity: "page", server: { id: team.server }, ended_at: null },
  ]);
  expect(await all("/incidents?state=past")).toEqual([]);
  expect((await client.get(`/incidents/${team.incident}`)).value).toMatchObject({
    causes: [{ code: "turn.udp.silent", advice: expect.any(String) }],
  });
  expect((await client.get("/maintenance")).value).toEqual({ items: [] });
  const added = await team.browser.post("/dashboard/alerts", {
    ...{ intent: "add-webhook", url: "https://hooks.example.com/secret-path", turn: "first" },
  });
  expect(added.status).toBeLessThan(400);
  const { value } = await client.get("/channels");
  const text = JSON.stringify(value);
  expect(value).toMatchObject({
    items: expect.arrayContaining([
      expect.objectContaining({ kind: "webhook", title: "Webhook at hooks.example.com" }),
      expect.objectContaining({ kind: "mail" }),
    ]),
  });
  for (const secret of ["secret-path", "whsec", team.email]) expect(text).not.toContain(secret);
});

test("sessions are read with hashes where the machine sends no names", async () => {
  const path = `/servers/${team.server}/sessions`;
  const [listed] = await all(path);
  expect(listed).toMatchObject({
    ...{ id: team.session, room: { hash: "0a1b2c3d4e5f", name: null }, end: "finished" },
    participants: { present: 0, peak: 2, joined: 2, aborted: 1 },
  });
  const { value } = await client.get(`${path}/${team.session}`);
  const { people } = value as { people: { identity: object; is_aborted: boolean }[] };
  expect(people).toHaveLength(3);
  for (const { identity } of people) expect(identity).toMatchObject({ name: null });
  expect(await all(`${path}?name=0a1b2c`)).toHaveLength(1);
  expect(await all(`${path}?name=ffffff`)).toEqual([]);
  expect((await client.get(`${path}/RM_notthere1`)).status).toBe(404);
});

test("an answer that did not change is 304 by its tag, and a minute's calls are counted down", async () => {
  const first = await client.get("/servers");
  const etag = first.headers.get("etag") ?? "";
  const again = await client.get("/servers", { "if-none-match": `W/${etag}, "other"` });
  expect(again.status).toBe(304);
  expect(again.headers.get("cache-control")).toBe("private, no-cache");
  const [one, two] = [first, again].map(
    ({ headers }) => /^"token";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "")?.[1],
  );
  expect(first.headers.get("ratelimit-policy")).toBe('"token";q=120;w=60');
  // A minute may begin in between.
  expect([Number(one) - 1, 119]).toContain(Number(two));
});

test("no answer is for browsers of other pages, and a session's cookie opens nothing", async () => {
  const response = await team.browser.request("/api/v1/servers");
  expect(response.status).toBe(401);
  const withOrigin = await client.get("/servers", { origin: "https://elsewhere.example" });
  expect(withOrigin.status).toBe(200);
  for (const name of ["access-control-allow-origin", "set-cookie"]) {
    expect([name, withOrigin.headers.get(name)]).toEqual([name, null]);
  }
});

test("more than 120 calls in a minute are 429 with the seconds that are left of it", async () => {
  const name = "Busy";
  const busy = new ApiClient(api, await team.token(["servers:read"], name));
  await runSql(
    "update public.workspace_tokens set calls = 120, minute = date_trunc('minute', now()) where name = $1",
    [name],
  );
  const { status, headers } = await busy.get("/token");
  // The minute may have ended since.
  if (status === 200) return expect(headers.get("ratelimit")).toMatch(/^"token";r=119;/);
  expect(status).toBe(429);
  expect(headers.get("ratelimit")).toMatch(/^"token";r=0;t=\d+$/);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
});

test.each(["%0A", "a%0Db", "%E2%80%A8"])(
  "an id with a line break is an id that nobody has, in the API's own words: %s",
  async (id) => {
    const { status, value, headers } = await client.call("GET", `/webhooks/${id}`, {
      isBad: true,
    });
    expect([status, headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    expect(value).toMatchObject({ code: "not-found" });
  },
);
