import { beforeAll, beforeEach, expect, test } from "vitest";
import { scopes } from "../../../app/features/api/scopes.ts";
import { ApiClient } from "../../support/api/api-client.ts";
import { type ApiTeam, apiTeam } from "../../support/api/api-team.ts";
import { DescribedApi } from "../../support/api/described-api.ts";
import { webhookAddress } from "../../support/servers/arrived.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { inParallel } from "../../support/site/in-parallel.ts";

let api: DescribedApi;
let team: ApiTeam;
let client: ApiClient;
let path: string;

beforeAll(async () => {
  api = await DescribedApi.served();
});
beforeEach(async () => {
  await resetFakes();
  team = await apiTeam("okapi");
  client = new ApiClient(api, await team.token(scopes));
  path = `/deployments/${team.deployment}`;
});

const read = async () => {
  const { value, headers } = await client.get(path);
  const { name, options, version } = value as {
    name: string;
    version: number;
    options: Record<string, unknown>;
  };
  return { name, options, version, etag: headers.get("etag") ?? "" };
};

/** The newest line of the workspace's log. */
const lastLine = async () => {
  const [line] = await runSql<Record<string, unknown>>(
    "select action, target, actor_address, after from public.audit_log where workspace_id = $1 order by id desc limit 1",
    [team.workspace],
  );
  return line;
};

test("an option that git has is saved once: the same call, the same change and the same tag change nothing more", async () => {
  const before = await read();
  const body = { name: "Production", options: { ...before.options, monitoring: "advanced" } };
  const key = crypto.randomUUID();
  const headers = { "if-match": before.etag };
  const saved = await client.call("PUT", path, { body, key, headers });
  expect([saved.status, saved.value]).toEqual([200, expect.objectContaining({ version: 3 })]);
  expect(await lastLine()).toMatchObject({
    ...{ action: "deployment.saved", after: { monitoring: "advanced" } },
    actor_address: expect.stringMatching(/^Token CI …\w{4}$/),
  });
  const again = await client.call("PUT", path, { body, key, headers });
  expect([again.status, again.value]).toEqual([200, saved.value]);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  const after = await read();
  expect([after.version, after.etag]).toEqual([3, saved.headers.get("etag")]);
  const same = await client.call("PUT", path, { body, headers: { "if-match": after.etag } });
  expect([same.status, same.value]).toEqual([200, expect.objectContaining({ version: 3 })]);
  const versions = await client.get(`${path}/versions`);
  expect(versions.value).toMatchObject({
    items: [{ version: 3, saved_by: expect.stringMatching(/^Token CI/) }, {}, {}],
  });
});

test("a change over a tag that is not so any more is 412, and one without a tag 428", async () => {
  const before = await read();
  const body = { name: "Renamed", options: before.options };
  const first = await client.call("PUT", path, { body, headers: { "if-match": before.etag } });
  expect(first.status).toBe(200);
  const late = await client.call("PUT", path, {
    ...{ body: { ...body, name: "Late" }, headers: { "if-match": before.etag } },
  });
  expect([late.status, late.value]).toEqual([412, expect.objectContaining({ code: "changed" })]);
  const bare = await client.call("PUT", path, { body, isBad: true });
  expect([bare.status, bare.value]).toEqual([
    428,
    expect.objectContaining({ code: "if-match-missing" }),
  ]);
  expect((await read()).name).toBe("Renamed");
});

test("of ten changes at once over one tag one is saved", async () => {
  const { etag, options } = await read();
  const answers = await inParallel(
    Array.from({ length: 10 }, (_, nth) => nth),
    10,
    (nth) =>
      client.call("PUT", path, {
        ...{ body: { name: `At once ${nth}`, options }, headers: { "if-match": etag } },
      }),
  );
  const saved = answers.filter(({ status }) => status === 200);
  expect(saved).toHaveLength(1);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 412]));
  expect((await read()).name).toBe(Object(saved[0]?.value).name);
});

test("of ten equal calls at once with one key one makes a deployment, and all learn which", async () => {
  const body = { name: "From CI", options: { domain: "ci.example.com", email: "ci@example.com" } };
  const key = '"8e03978e-40d5-43e8-bc93-6894a57f9324"';
  const answers = await inParallel(
    Array.from({ length: 10 }, (_, nth) => nth),
    10,
    () => client.call("POST", "/deployments", { body, key }),
  );
  expect(answers.map(({ status }) => status).filter((each) => each !== 409)).toContain(201);
  expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  const { value, headers } = await client.call("POST", "/deployments", { body, key });
  expect(headers.get("location")).toBe(`/api/v1/deployments/${(value as { id: string }).id}`);
  const [made] = await runSql<{ count: number }>(
    "select count(*)::int as count from public.deployments where name = 'From CI'",
  );
  expect(made?.count).toBe(1);
  expect(await lastLine()).toMatchObject({ action: "deployment.created", target: "From CI" });
});

test("a key that came with another call is 422, and nothing is changed", async () => {
  const options = { domain: "ci.example.com", email: "ci@example.com" };
  const key = crypto.randomUUID();
  await client.call("POST", "/deployments", { body: { name: "One", options }, key });
  const other = await client.call("POST", "/deployments", { body: { name: "Two", options }, key });
  expect([other.status, other.value]).toEqual([
    422,
    expect.objectContaining({ code: "key-reused" }),
  ]);
  const { value } = await client.get("/deployments");
  expect(JSON.stringify(value)).not.toContain("Two");
});

test("choices that make no server are 422, each with a pointer to it; the plan refuses as on its pages", async () => {
  const wrong = await client.call("POST", "/deployments", {
    body: { name: "Wrong", options: { domain: "no domain", email: "a@example.com", nonsense: 1 } },
  });
  expect([wrong.status, wrong.value]).toEqual([
    422,
    expect.objectContaining({
      code: "invalid-body",
      errors: expect.arrayContaining([
        expect.objectContaining({ pointer: "#/options/domain" }),
        expect.objectContaining({ pointer: "#/options/nonsense" }),
      ]),
    }),
  ]);
  await runSql("delete from public.subscriptions");
  const options = { domain: "ci.example.com", email: "ci@example.com" };
  const unpaid = await client.call("POST", "/deployments", { body: { name: "Unpaid", options } });
  expect([unpaid.status, unpaid.value]).toEqual([403, expect.objectContaining({ code: "plan" })]);
  expect((await client.get("/deployments")).status).toBe(200);
});

test("a maintenance window begins, is listed, moves and ends, and the log has each change", async () => {
  const window = `/servers/${team.server}/maintenance`;
  const until = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const first = await client.call("PUT", window, { body: { until: until(1) } });
  expect(first.status).toBe(200);
  const moved = await client.call("PUT", window, { body: { until: until(2) } });
  expect((await client.get("/maintenance")).value).toEqual({ items: [moved.value] });
  expect(await lastLine()).toMatchObject({
    ...{ action: "server.maintenance", actor_address: expect.stringMatching(/^Token CI/) },
  });
  expect((await client.call("DELETE", window)).status).toBe(204);
  expect((await client.call("DELETE", window)).status).toBe(204);
  expect((await client.get("/maintenance")).value).toEqual({ items: [] });
  for (const wrong of [until(25), until(-1)]) {
    const refused = await client.call("PUT", window, { body: { until: wrong } });
    expect([refused.status, refused.value]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: "#/until" })] }),
    ]);
  }
});

test("an incident is acknowledged by the token's name, once, and its page says so", async () => {
  const address = `/incidents/${team.incident}`;
  const acknowledgement = `${address}/acknowledgement`;
  const done = await client.call("PUT", acknowledgement, { body: { note: "On it." } });
  expect(done.value).toMatchObject({
    acknowledged: { by: expect.stringMatching(/^Token CI …/), note: "On it." },
  });
  const again = await client.call("PUT", acknowledgement, { body: { note: "Second." } });
  expect(again.value).toMatchObject({ acknowledged: { note: "On it." } });
  const page = await team.browser.request(`/dashboard/incidents/${team.incident}`);
  expect(await page.text()).toContain("Token CI");
  const lines = await runSql("select from public.audit_log where action = 'incident.acknowledged'");
  expect(lines).toHaveLength(1);
});

test("an incident is snoozed by a token that may do no more than that, and its page says until when", async () => {
  const alerts = new ApiClient(api, await team.token(["alerts:write"], "On call"));
  const snooze = `/incidents/${team.incident}/snooze`;
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const done = await alerts.call("PUT", snooze, { body: { until } });
  expect([done.status, done.value]).toEqual([
    200,
    expect.objectContaining({ snoozed_until: until }),
  ]);
  expect(await lastLine()).toMatchObject({
    ...{ action: "incident.snoozed", after: { until } },
    actor_address: expect.stringMatching(/^Token On call …/),
  });
  const page = await team.browser.request(`/dashboard/incidents/${team.incident}`);
  expect(await page.text()).toMatch(/snoozed/i);
  const late = await alerts.call("PUT", snooze, {
    body: { until: new Date(Date.now() + 25 * 3_600_000).toISOString() },
  });
  expect([late.status, late.value]).toEqual([
    422,
    expect.objectContaining({ errors: [expect.objectContaining({ pointer: "#/until" })] }),
  ]);
  expect((await alerts.get("/incidents")).status).toBe(403);
});

test("a webhook is added with a secret of the program's own, changed, and given another secret, and no answer says one", async () => {
  const [secret, other] = [1, 2].map(
    (nth) => `whsec_${Buffer.alloc(32, nth).toString("base64")}`,
  ) as [string, string];
  const url = webhookAddress("of-ci");
  const added = await client.call("POST", "/webhooks", {
    body: { url, events: ["deployments", "alerts"], secret },
  });
  const { id } = added.value as { id: string };
  expect([added.status, added.headers.get("location")]).toEqual([201, `/api/v1/webhooks/${id}`]);
  const tested = await client.call("POST", `/webhooks/${id}/tests`, { body: {} });
  expect(tested.value).toMatchObject({ type: "webhook.test", state: "delivered" });
  const changed = await client.call("PUT", `/webhooks/${id}`, {
    body: { events: ["people"], enabled: false },
  });
  expect(changed.value).toMatchObject({ events: ["people"], state: "off" });
  const rotated = await client.call("PUT", `/webhooks/${id}/secret`, { body: { secret: other } });
  expect(rotated.value).toMatchObject({ former_secret_until: expect.any(String) });
  const read = await client.get(`/webhooks/${id}/deliveries`);
  expect(read.value).toMatchObject({ items: [{ type: "webhook.test" }] });
  const said = JSON.stringify([added, changed, rotated, read]);
  for (const each of [secret, other, "of-ci"]) expect(said).not.toContain(each);
  const stored = await runSql<{ row: string }>(
    "select r::text as row from public.api_requests r union all select l::text from public.audit_log l",
  );
  for (const each of [secret, other]) expect(JSON.stringify(stored)).not.toContain(each);
  const lines = await runSql<{ action: string }>(
    "select action from public.audit_log where action like 'webhook.%' order by id",
  );
  expect(lines.map(({ action }) => action)).toEqual([
    ...["webhook.added", "webhook.tested", "webhook.changed", "webhook.secret-changed"],
  ]);
});

test.each([
  ["https://127.0.0.1/hook", "#/url"],
  ["http://hooks.example.com/", "#/url"],
  ["https://localhost/", "#/url"],
])("a webhook at %s is 422, and none is added", async (url, pointer) => {
  const secret = `whsec_${Buffer.alloc(32).toString("base64")}`;
  const refused = await client.call("POST", "/webhooks", {
    body: { url, events: ["people"], secret },
  });
  expect([refused.status, refused.value]).toEqual([
    422,
    expect.objectContaining({ errors: [expect.objectContaining({ pointer })] }),
  ]);
  expect((await client.get("/webhooks")).value).toEqual({ items: [] });
  expect(await runSql("select from public.audit_log where action like 'webhook.%'")).toEqual([]);
});

const base64Of = (bytes: number) => Buffer.alloc(bytes, 1).toString("base64");

test.each([
  ["35 characters and ==", `${"A".repeat(35)}==`],
  ["34 characters and =", `${"A".repeat(34)}=`],
  ["39 characters without =", "A".repeat(39)],
  ["bits after its last byte", `${"A".repeat(33)}B==`],
  ["23 bytes", base64Of(23)],
  ["65 bytes", base64Of(65)],
])(
  "a secret of a webhook with %s is 422, added or changed, and 24 to 64 bytes are taken",
  async (_, base64) => {
    const body = { url: webhookAddress("secret"), events: ["people"] };
    const right = { ...body, secret: `whsec_${base64Of(24)}` };
    const added = await client.call("POST", "/webhooks", { body: right });
    const { id } = added.value as { id: string };
    const secret = `whsec_${base64}`;
    const wrong = [
      await client.call("POST", "/webhooks", { body: { ...body, secret }, isBad: true }),
      await client.call("PUT", `/webhooks/${id}/secret`, { body: { secret }, isBad: true }),
    ];
    for (const { status, value } of wrong) {
      expect([status, value]).toEqual([
        422,
        expect.objectContaining({ errors: [expect.objectContaining({ pointer: "#/secret" })] }),
      ]);
    }
    const longest = { secret: `whsec_${base64Of(64)}` };
    const changed = await client.call("PUT", `/webhooks/${id}/secret`, { body: longest });
    expect([added.status, changed.status]).toEqual([201, 200]);
  },
);

test("bodies that are no JSON, too large or of another type are refused before anything is read", async () => {
  const send = (body: string, headers: Record<string, string> = {}) =>
    client.call("POST", "/deployments", { body, headers, isBad: true });
  expect((await send("{}", { "content-type": "text/plain" })).status).toBe(415);
  expect((await send("x".repeat(40_000))).status).toBe(413);
  expect((await send("{")).status).toBe(400);
  expect((await send("{}", { "idempotency-key": "" })).status).toBe(422);
  const body = JSON.stringify({
    ...{ name: "A", options: { domain: "a.example.com", email: "a@example.com" } },
  });
  expect((await send(body, { "idempotency-key": "" })).status).toBe(400);
  for (const method of ["PATCH", "DELETE"]) {
    const response = await team.browser.request("/api/v1/deployments", { method });
    expect([401, 405]).toContain(response.status);
  }
});
