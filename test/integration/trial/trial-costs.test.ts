import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { trialChangeLimit, trialChangesUsed } from "../../../app/content/trial.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { startFaultProxy } from "../../support/faults/fault-proxy.ts";
import { amount } from "../../support/run/variants.ts";
import { openSocket } from "../../support/servers/live-socket.ts";
import { fakes, resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { inTrial, trialOf } from "../../support/trial/begin-trial.ts";

let supabase: Awaited<ReturnType<typeof startFaultProxy>>;
let worker: RunningWorker;

beforeAll(async () => {
  supabase = await startFaultProxy(fakes().supabase.url);
  worker = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    SUPABASE_URL: supabase.url,
  }));
});
beforeEach(resetFakes);
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]();
  await supabase?.[Symbol.asyncDispose]();
  await resetFakes();
});

const second = 1_000;
const minute = 60 * second;

const threshold = {
  ...{ intent: "set-threshold", measure: "participants", value: "8", severity: "page", of: "all" },
};

/** How many rows all tables of the database have. */
async function rowsInDatabase(): Promise<number> {
  const tables = await runSql<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname in ('public', 'auth')`,
  );
  const counts = tables.map(({ name }) => `(select count(*) from ${name})`);
  const [sum] = await runSql<{ sum: string }>(`select (${counts.join(" + ")})::int as sum`);
  return Number(sum?.sum);
}

test("a trial costs few requests, rows and alarms, however long somebody looks", async () => {
  const before = await rowsInDatabase();
  const visitor = await inTrial(worker.url);
  const { workspace } = await trialOf();
  // Of three or four limits, the sign-in and the workspace.
  expect(supabase.requests.length).toBeLessThanOrEqual(6);
  expect((await rowsInDatabase()) - before).toBeLessThanOrEqual(18);
  await worker.stopFleetClock(workspace);
  const fleets = await worker.fleets();
  const counts = async () => {
    const { rows, alarmsSet, calls } = await worker.fleetCounts(workspace);
    return { rows: rows + alarmsSet, alarms: calls.alarm ?? 0 };
  };
  const expectWithin = async (most: { rows: number; alarms: number }) => {
    const { rows, alarms } = await counts();
    expect.soft(rows).toBeLessThanOrEqual(most.rows);
    expect.soft(alarms).toBeLessThanOrEqual(most.alarms);
  };
  // A stage of the boot, with its alarm, may have passed before the clock stood still.
  const begun = await counts();
  expect.soft(begun.rows).toBeLessThanOrEqual(230 + 6 * begun.alarms);

  // Its incident begins and ends as people come and go.
  const [first] = (await fleets.overview(workspace)).servers;
  const measured = await visitor.post(`/dashboard/servers/${first?.id}`, threshold);
  expect(measured.status).toBe(303);

  const page = await (await visitor.request("/dashboard")).text();
  const [ticket = ""] = /lkd_t_[0-9a-f_]+/.exec(page) ?? [];
  const socket = await openSocket(worker.url, ticket);
  await worker.moveFleetClock(workspace, 40 * second);
  await expectWithin({ rows: 270, alarms: 10 });
  await worker.moveFleetClock(workspace, 40 * minute);
  await expectWithin({ rows: 480, alarms: 50 });

  // The page stays open and is read again and again, for the rest of the day.
  const everyMs = amount({ inTest: 15, inProof: 1 }) * minute;
  for (let passed = 41 * minute; passed < 24 * 60 * minute; passed += everyMs) {
    await worker.moveFleetClock(workspace, everyMs);
    await fleets.overview(workspace);
  }
  await expectWithin({ rows: 800, alarms: 51 });
  await socket.close();

  await worker.moveFleetClock(workspace, 30 * minute);
  expect((await fleets.overview(workspace)).servers).toEqual([]);
  const { rows } = await counts();
  await worker.moveFleetClock(workspace, 24 * 60 * minute);
  expect((await counts()).rows).toBe(rows);
});

test("what was in a trial's rooms is another object, which is filled once, for whoever opens its pages", async () => {
  const visitor = await inTrial(worker.url);
  const { workspace } = await trialOf();
  const { servers } = await (await worker.fleets()).overview(workspace);
  const server = servers.find(({ name }) => name === "sfu-frankfurt-1")?.id ?? "";
  const path = `/dashboard/servers/${server}`;
  await visitor.request(path);
  const written = async () => {
    const { rows, alarmsSet } = await worker.historyCounts(server);
    return rows + alarmsSet;
  };
  expect(await written()).toBe(0);
  expect((await visitor.request(`${path}/sessions`)).status).toBe(200);
  const filled = await written();
  expect(filled).toBeGreaterThan(100);
  expect(filled).toBeLessThanOrEqual(320);
  const why = await (await visitor.request(`${path}/evidence`)).text();
  expect(why).toContain("Worst networks");
  await visitor.request(`${path}/sessions`);
  expect(await written()).toBe(filled);
});

test("whoever writes in a trial makes so many changes in its whole day, each of which costs few rows", async () => {
  const visitor = await inTrial(worker.url);
  const { workspace } = await trialOf();
  const fleets = await worker.fleets();
  const down = (await fleets.overview(workspace)).servers.find(
    ({ state }) => state.code === "down",
  );
  const path = `/dashboard/servers/${down?.id}`;
  const incident = down?.incident?.id ?? "";
  const forms: Record<string, string>[] = [
    { intent: "acknowledge", incident },
    { intent: "unacknowledge", incident },
    { intent: "snooze", incident, until: "1" },
    { intent: "maintenance", until: "1" },
    { intent: "maintenance", until: "end" },
    threshold,
  ];
  await worker.stopFleetClock(workspace);
  const rows = async () => {
    const counted = await worker.fleetCounts(workspace);
    return { fleet: counted.rows + counted.alarmsSet, database: await rowsInDatabase() };
  };
  for (const form of forms) {
    const before = await rows();
    const { status } = await visitor.post(path, form);
    expect.soft(status, form.intent).toBe(303);
    const after = await rows();
    expect.soft(after.fleet - before.fleet, form.intent).toBeLessThanOrEqual(8);
    expect.soft(after.database - before.database, form.intent).toBeLessThanOrEqual(2);
  }
  const [counted] = await runSql(
    "select tries from public.code_tries where kind = 'trial-changes'",
  );
  expect(counted).toEqual({ tries: forms.length });
  // The last one that there is room for, and the one after it.
  await runSql("update public.code_tries set tries = $1 where kind = 'trial-changes'", [
    trialChangeLimit - 1,
  ]);
  expect((await visitor.post(path, threshold)).status).toBe(303);
  const before = await rows();
  const refused = await visitor.post(path, threshold);
  expect([refused.status, (await refused.text()).includes(trialChangesUsed)]).toEqual([403, true]);
  const described = await visitor.post("/dashboard/deployments/new", {
    ...{ name: "Mine", domain: "live.mycompany.com", email: "me@mycompany.com" },
  });
  expect(described.status).toBe(403);
  expect(await rows()).toEqual(before);
  // Everything is still to be seen, and the button of the trial still leads back to it.
  expect((await visitor.request(path)).status).toBe(200);
  expect((await visitor.post("/try", {})).headers.get("location")).toBe("/dashboard");
});
