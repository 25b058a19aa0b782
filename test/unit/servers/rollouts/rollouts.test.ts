import { beforeEach, describe, expect, test } from "vitest";
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
  report: { approvals: { needed: 1, known: [device.approver.fingerprint], knowsWindows: true } },
})) as unknown as ServerRecord[];

const silent = servers[1] as ServerRecord;

beforeEach(() => {
  sql = sqliteStorage();
  prepareTables(sql);
  now = 1_800_000_000_000;
  saveApprovers(sql, { needed: 1, origin, keys: [device.approver], revision: 1 });
  rollouts = new Rollouts(sql, () => now, {
    ...{
      generator: "test",
      notify: () => {},
      records: () => servers,
      zone: () => "UTC",
      announce: () => {},
    },
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

test("in a cluster the edge takes up a version last, wherever it was asked for", () => {
  const [edge] = servers;
  if (!edge?.report) throw new Error("There is no server");
  edge.report.role = "edge";
  const request = { servers: ["one"], withOthers: true, deployment: "d", version: 2, by: "CI" };
  const made = rollouts.request({ ...request, isLower: false, inputs: inputs(2) });
  delete edge.report.role;
  expect("rollout" in made && made.rollout.targets.map(({ server }) => server)).toEqual([
    ...["two", "one"],
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

describe("a window", () => {
  const night = { from: 2, until: 5 };
  const hour = 3_600_000;
  const wanted = (more: object) =>
    rollouts.request({
      ...{ servers: ["one"], deployment: "d", version: 2, isLower: false, by: "CI" },
      ...{ inputs: inputs(2), ...more },
    });

  test("is what approvers sign, is chosen again in the next form, and never by a program", () => {
    now = Date.parse("2026-11-29T14:00Z");
    const inWindow = wanted({ window: night, savesWindow: true });
    const begins = Date.parse("2026-11-30T02:00Z");
    expect(inWindow).toMatchObject({ rollout: { beginsAt: begins, endsAt: begins + 3 * hour } });
    const manifest = "rollout" in inWindow ? inWindow.rollout.manifest : "";
    expect(manifest).toContain(`\nbegins ${begins / 1_000}\nends ${begins / 1_000 + 10_800}\n`);
    expect(wanted({ window: night })).toEqual(inWindow);
    expect(rollouts.windowOf("d")).toEqual(night);
    const atOnce = wanted({});
    expect(atOnce).not.toHaveProperty("rollout.beginsAt");
    expect(rollouts.windowOf("d")).toEqual(night);
    wanted({ version: 3, savesWindow: true });
    expect(rollouts.windowOf("d")).toBeUndefined();
  });

  test("that is over ends what had not begun, on every server whose turn had not come", async () => {
    now = Date.parse("2026-11-29T14:00Z");
    const made = wanted({ window: night, servers: ["one", "two"] });
    if ("refused" in made) throw new Error(made.refused);
    const { id, manifest = "" } = made.rollout;
    await rollouts.approve(id, "ada", device.sign(manifest));
    now = Date.parse("2026-11-30T04:00Z");
    for (const step of ["fetched", "proved"] as const) rollouts.step("one", id, { step });
    expect(rollouts.orderFor("two")?.id).toBe(id);
    now += hour;
    expect(rollouts.orderFor("two")).toBeUndefined();
    expect(rollouts.get(id)?.targets.map(({ state, reason }) => [state, reason])).toEqual([
      ["proved", undefined],
      ["expired", "Its window was over before it began."],
    ]);
  });

  test("of no hour or of thirteen, or for files that know none, is refused, and without one the server is asked", () => {
    expect(wanted({ window: { from: 2, until: 2 } })).toEqual({ refused: "no-window" });
    expect(wanted({ window: { from: 2, until: 15 } })).toEqual({ refused: "no-window" });
    const former = silent.report;
    const known = former?.approvals?.known;
    silent.report = { approvals: { needed: 1, known } } as unknown as Report;
    expect(wanted({ servers: ["two"], window: night })).toEqual({ refused: "no-windows" });
    expect(wanted({ servers: ["two"] })).toHaveProperty("rollout");
    silent.report = former as Report;
  });
});
