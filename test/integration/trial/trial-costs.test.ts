import { afterAll, beforeAll, expect, test } from "vitest";
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
  await resetFakes();
  supabase = await startFaultProxy(fakes().supabase.url);
  worker = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    SUPABASE_URL: supabase.url,
  }));
});
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]();
  await supabase?.[Symbol.asyncDispose]();
  await resetFakes();
});

const second = 1_000;
const minute = 60 * second;

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
  // Of four limits, the sign-in and the workspace.
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
