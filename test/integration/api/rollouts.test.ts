import { beforeAll, expect, test } from "vitest";
import { scopes } from "../../../app/features/api/scopes.ts";
import { ApiClient } from "../../support/api/api-client.ts";
import { type ApiTeam, apiTeam } from "../../support/api/api-team.ts";
import { DescribedApi } from "../../support/api/described-api.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";

let team: ApiTeam;
let client: ApiClient;
let path: string;

beforeAll(async () => {
  await resetFakes();
  const api = await DescribedApi.served();
  team = await apiTeam("okapi");
  client = new ApiClient(api, await team.token(scopes));
  path = `/servers/${team.server}/rollouts`;
}, 60_000);

const noted = () =>
  runSql(
    "select action, target_id, after from public.audit_log where workspace_id = $1 and action like 'rollout.%' order by id",
    [team.workspace],
  );
const idOf = ({ value }: { value: unknown }): unknown => Object(value).id;

test("a rollout that CI asks for waits for people, is the same when it is asked for again, and gives way to another version", async () => {
  const requested = await client.call("POST", path, { body: { version: 2 } });
  expect([requested.status, requested.value]).toEqual([
    201,
    expect.objectContaining({
      ...{ id: team.rollout, server: team.server, version: 2, state: "requested", reason: null },
      ...{ approvals_needed: 1, approvals: [], requested_by: expect.stringMatching(/^Token CI …/) },
    }),
  ]);
  expect(requested.headers.get("location")).toBe(`/api/v1${path}/${team.rollout}`);
  const older = await client.call("POST", path, { body: { version: 1, allow_lower: true } });
  expect([older.status, idOf(older) === team.rollout]).toEqual([201, false]);
  const former = await client.get(`${path}/${team.rollout}`);
  expect(former.value).toMatchObject({
    state: "aborted",
    reason: expect.stringContaining("another version"),
  });
  const listed = await client.get(path);
  expect(Object(listed.value).items.map(({ id }: { id: string }) => id)).toEqual([
    ...[idOf(older), team.rollout],
  ]);
  expect(await noted()).toEqual([
    { action: "rollout.requested", target_id: team.server, after: { version: 2 } },
    {
      ...{ action: "rollout.requested", target_id: team.server },
      after: { version: 1, lower: "allowed" },
    },
  ]);
});

test("a machine that was asked for nothing that people approved hears of no rollout, and its files are refused", async () => {
  const { lines } = await team.machine.report(4, ["approvals\t1", `approver\t${"ab".repeat(16)}`]);
  expect(Object.keys(lines).filter((name) => name.startsWith("rollout"))).toEqual([]);
});

test("a server that knows no rollouts, or fewer approvers than it asks for, is refused with what to do", async () => {
  await team.machine.report(5, ["approvals\t2", `approver\t${"ab".repeat(16)}`]);
  const few = await client.call("POST", path, { body: { version: 2 } });
  expect([few.status, few.value]).toEqual([
    409,
    expect.objectContaining({
      ...{ code: "conflict", detail: expect.stringContaining("sudo livekit-deploy approvers") },
    }),
  ]);
  await team.machine.report(6);
  const none = await client.call("POST", path, { body: { version: 2 } });
  expect([none.status, none.value]).toEqual([
    409,
    expect.objectContaining({ detail: expect.stringContaining("sudo livekit-deploy apply") }),
  ]);
  expect(await noted()).toHaveLength(2);
});

test("a window of hours is what CI gets where it asks for one", async () => {
  const lines = ["approvals\t1", `approver\t${"ab".repeat(16)}`];
  await team.machine.report(7, lines);
  const body = { version: 2, window: { from: 2, until: 5 } };
  const old = await client.call("POST", path, { body });
  expect([old.status, old.value]).toEqual([
    409,
    expect.objectContaining({ detail: expect.stringContaining("older than windows") }),
  ]);
  await team.machine.report(8, [...lines, "update-windows"]);
  const made = await client.call("POST", path, { body });
  const { begins_at: begins, ends_at: ends } = Object(made.value);
  expect([made.status, Date.parse(begins) < Date.parse(ends)]).toEqual([201, true]);
  expect(ends).toMatch(/T05:00:00/);
  const atOnce = await client.call("POST", path, { body: { version: 2 } });
  expect(atOnce.value).toMatchObject({ begins_at: null });
});

test("an unknown version, and what is no version, are refused", async () => {
  const unknown = await client.call("POST", path, { body: { version: 99 } });
  expect(unknown.status).toBe(404);
  const wrong = await client.call("POST", path, { body: { version: 0 }, isBad: true });
  expect(wrong.status).toBe(422);
});
