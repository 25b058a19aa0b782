import { beforeEach, expect, test } from "vitest";
import { saveApprovers } from "~/features/servers/rollouts/approvers.server.ts";
import { RolloutTable } from "~/features/servers/rollouts/rollout-table.server.ts";
import { Rollouts } from "~/features/servers/rollouts/rollouts.server.ts";
import type { Report, ServerRecord } from "~/features/servers/state/server-record.ts";
import { prepareTables } from "~/features/servers/storage/tables.server.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { authenticator } from "../../../support/rollouts/authenticator.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const origin = "https://console.example.com";
const day = 86_400_000;
let sql: SqlStorage;
let now: number;
let rollouts: Rollouts;
const device = authenticator("ada", origin);
const servers = ["one", "two"].map((id) => ({
  ...{ id, name: id, deployment: "d" },
  report: { approvals: { needed: 1, known: [device.approver.fingerprint] } },
})) as unknown as ServerRecord[];

const silent = servers[1] as ServerRecord;

beforeEach(() => {
  sql = sqliteStorage();
  prepareTables(sql);
  now = 1_800_000_000_000;
  saveApprovers(sql, { needed: 1, origin, keys: [device.approver], revision: 1 });
  rollouts = new Rollouts(sql, () => now, {
    ...{ generator: "test", notify: () => {}, records: () => servers },
    record: (id) => servers.find((each) => each.id === id),
  });
});

const inputs = (version: number) => ({
  options: optionsFrom({ domain: "livekit.example.com" }),
  ...{ version, url: origin },
});
const ask = (server: string, version: number, isLower = false) =>
  rollouts.request({
    ...{ servers: [server], deployment: "d", version, isLower, by: "CI" },
    inputs: inputs(version),
  });
function made(...request: Parameters<typeof ask>) {
  const answer = ask(...request);
  if ("refused" in answer) throw new Error(answer.refused);
  return answer.rollout;
}

test("an approved rollout reaches its server, however many were asked for on others since", async () => {
  const first = made("one", 2);
  await rollouts.approve(first.id, "ada", device.sign(first.manifest ?? ""));
  const other = made("two", 2);
  const table = new RolloutTable(sql, () => now);
  for (let nth = 0; nth < 250; nth += 1) {
    const target = { server: "two", name: "two", state: "aborted" as const, steps: [] };
    table.save({ ...other, id: `${nth}`, requestedAt: now + 1, targets: [target] });
  }
  expect(rollouts.orderFor("one")?.id).toBe(first.id);
  expect(rollouts.list("one").map(({ id }) => id)).toEqual([first.id]);
});

test("a server is asked for 50 versions within a day, and another one is asked for all the same", () => {
  for (let version = 2; version < 52; version += 1) made("one", version);
  expect(ask("one", 60)).toEqual({ refused: "too-many" });
  expect(ask("one", 51)).toHaveProperty("rollout");
  expect(ask("two", 2)).toHaveProperty("rollout");
  now += day;
  expect(ask("one", 60)).toHaveProperty("rollout");
});

test("what has ended keeps neither its manifest nor its inputs, also where it ended by the clock alone", () => {
  const { id } = made("one", 2);
  expect(rollouts.get(id)).toHaveProperty("manifest");
  now += 3 * day;
  expect(rollouts.list("one").map(({ targets }) => targets[0]?.state)).toEqual(["expired"]);
  for (const part of ["manifest", "inputs"]) expect(rollouts.get(id)).not.toHaveProperty(part);
});

test("the same version, once as a lower one, is another rollout", () => {
  const former = made("one", 2);
  const lower = made("one", 2, true);
  expect([lower.id === former.id, lower.isLower]).toEqual([false, true]);
});

test("a silent server is not among the others that are to take a version", () => {
  const request = {
    ...{ servers: ["one"], withOthers: true, deployment: "d", version: 2, isLower: false },
    ...{ by: "CI", inputs: inputs(2) },
  };
  silent.silence = { foundAt: now };
  const alone = rollouts.request(request);
  expect("rollout" in alone && alone.rollout.targets.map(({ server }) => server)).toEqual(["one"]);
  delete silent.silence;
  const both = rollouts.request(request);
  expect("rollout" in both && both.rollout.targets.map(({ server }) => server)).toEqual([
    ...["one", "two"],
  ]);
});

test("an approval with a passkey that one of the servers does not know says which", async () => {
  const rollout = made("two", 2);
  const { approvals } = silent.report ?? {};
  silent.report = { approvals: { needed: 1, known: ["f"] } } as unknown as Report;
  const refused = await rollouts.approve(rollout.id, "ada", device.sign(rollout.manifest ?? ""));
  expect(refused).toEqual({ refused: "unknown-there", server: "two" });
  silent.report = { approvals } as unknown as Report;
});
