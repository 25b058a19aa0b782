import { afterAll, beforeAll, expect, test } from "vitest";
import { maxMachines } from "~/features/servers/connect/server-quota.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { FleetCounts, RunningWorker } from "../../../scripts/lib/worker.ts";
import { Machine } from "../../support/servers/machine.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());

const deployment = "44444444-4444-4444-8444-444444444444";
const minute = 60_000;

/** A workspace with so many servers. */
async function fleetOf(count: number) {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const servers = Array.from({ length: count }, (_, at) => new Machine(worker, `i-${at}`));
  for (let at = 0; at < count; at += maxMachines) {
    const wanted = { workspace, deployment, uses: maxMachines, hours: 72 };
    const { token } = await fleets.makeToken(wanted);
    for (const server of servers.slice(at, at + maxMachines)) {
      expect(await server.enrol(token)).toMatchObject({ status: 200 });
    }
  }
  return { fleets, workspace, servers };
}

const sumOf = ({ calls }: FleetCounts) =>
  Object.values(calls).reduce<number>((sum, count) => sum + (count ?? 0), 0);

test("a report writes at most two rows, and an hour of reports at most twenty alarms", async () => {
  const { workspace, servers } = await fleetOf(3);
  for (const server of servers) await server.report(1, ["metric\tparticipants\t3"]);
  const before = await worker.fleetCounts(workspace);
  let most = 0;
  for (let seq = 2; seq <= 61; seq += 1) {
    await worker.moveFleetClock(workspace, minute);
    for (const server of servers) {
      const { rows } = await worker.fleetCounts(workspace);
      await server.report(seq, [`metric\tparticipants\t${seq}`, "network\t1\t2", "load\t0.5"]);
      most = Math.max(most, (await worker.fleetCounts(workspace)).rows - rows);
    }
  }
  const after = await worker.fleetCounts(workspace);
  expect(most).toBe(2);
  expect((after.calls.alarm ?? 0) - (before.calls.alarm ?? 0)).toBeLessThanOrEqual(20);
});

test("the list of 500 servers is one call of one object, and writes nothing", async () => {
  const { fleets, workspace } = await fleetOf(500);
  const before = await worker.fleetCounts(workspace);
  expect((await fleets.overview(workspace)).servers).toHaveLength(500);
  const after = await worker.fleetCounts(workspace);
  expect(sumOf(after)).toBe(sumOf(before) + 1);
  expect([after.rows, after.alarmsSet]).toEqual([before.rows, before.alarmsSet]);
});

test("each page of the site that shows servers is one call of one object", async () => {
  await resetFakes();
  const customer = await serverCustomer(worker, "pro");
  const [first] = [await customer.connect("i-1"), await customer.connect("i-2")];
  const called: Record<string, FleetCounts["calls"]> = {};
  for (const page of ["/dashboard", `/dashboard/servers/${first.server}`, customer.page]) {
    // A document, and what its script reads again.
    for (const path of [page, `${page}.data`]) {
      const before = await worker.fleetCounts(customer.workspace);
      expect((await customer.browser.request(path)).status).toBe(200);
      const { calls } = await worker.fleetCounts(customer.workspace);
      const more = Object.entries(calls).map(([name, count = 0]) => [
        name,
        count - (before.calls[name] ?? 0),
      ]);
      called[path] = Object.fromEntries(
        // Its alarm is called by time.
        more.filter(([name, count]) => count !== 0 && name !== "alarm"),
      );
    }
  }
  const server = `/dashboard/servers/${first.server}`;
  expect(called).toEqual({
    "/dashboard": { overview: 1 },
    "/dashboard.data": { overview: 1 },
    [server]: { server: 1 },
    [`${server}.data`]: { server: 1 },
    [customer.page]: { overview: 1 },
    [`${customer.page}.data`]: { overview: 1 },
  });
});
