import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { changeRows } from "../../support/servers/change-rows.ts";
import { type MadeFleet, makeFleet } from "../../support/servers/make-fleet.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import { steerServer } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { textAt } from "../../support/site/page-text.ts";

const dayMs = 24 * 60 * 60_000;

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());

/** So many fleets of so many servers, connected days ago, whose makers are notified at `address`. */
async function manyFleets(count: number, servers: number, address: string): Promise<MadeFleet[]> {
  const fleets: MadeFleet[] = [];
  for (let at = 0; at < count; at += 1) {
    const maker = { person: crypto.randomUUID(), address };
    const fleet = await makeFleet(worker, { count: servers, address: `192.0.2.${at}`, maker });
    await changeRows(worker, fleet.workspace, [
      `update servers set record = json_set(record, '$.enrolledAt', ${Date.now() - 4 * dayMs})`,
    ]);
    fleets.push(fleet);
  }
  return fleets;
}

const move = async (fleets: readonly MadeFleet[], minutes: number) => {
  for (const fleet of fleets) await fleet.move(minutes);
};

test("three customers whose servers fall silent on purpose hold nobody's page back, who fell before or after (N1)", async () => {
  const address = `${crypto.randomUUID()}@example.com`;
  const attackers = await manyFleets(3, 60, `${crypto.randomUUID()}@example.com`);
  // Others who report: the judge knows of them with their first check.
  const others = await manyFleets(5, 4, `${crypto.randomUUID()}@example.com`);
  for (const { servers, move: moveClock } of others) {
    await moveClock(2);
    await Promise.all(servers.map((server) => server.report(2)));
    await moveClock(2);
  }
  const [before, after] = await manyFleets(2, 1, address);
  await before?.move(4);
  await move(attackers, 4);
  await after?.move(4);
  for (const victim of [before, after]) {
    // As without them: silent after three minutes, and sent two minutes later.
    await victim?.move(1);
    expect(await victim?.view()).toMatchObject({
      ...{ state: { code: "down" }, incident: { severity: "pages" } },
    });
  }
  expect(await mailsTo(address)).toHaveLength(2);
});

test("1,000 servers that fall silent at once through our own fault page nobody, and are counted anew", async () => {
  const address = `${crypto.randomUUID()}@example.com`;
  const fleets = await manyFleets(20, 50, address);
  const { workspace, connect, browser } = await serverCustomer(worker, "pro");
  await steerServer("media.example.com", "livekit");
  const observed = await connect("i-own");
  await observed.report(1);
  await move(fleets, 4);
  await worker.moveFleetClock(workspace, 4 * 60_000);
  await move(fleets, 4);
  await worker.moveFleetClock(workspace, 4 * 60_000);
  for (const path of ["/dashboard", `/dashboard/servers/${observed.server}`]) {
    const text = await textAt(browser, path);
    expect(text).toMatch(
      /Reports do not reach us since .* : our fault\. Your servers run as before/,
    );
    expect(text).not.toMatch(/Reporter silent|something is wrong/);
  }
  for (const { fleets: ofSite, workspace: each, view } of fleets) {
    expect(await view()).toMatchObject({
      ...{ state: { code: "silent" }, ourFault: expect.any(Number), incident: undefined },
    });
    const { servers } = await ofSite.overview(each);
    expect(servers.filter(({ incident }) => incident)).toEqual([]);
  }
  const logged = worker.takeLogs().filter(({ level }) => level === "error");
  expect(logged).toMatchObject([{ message: expect.stringContaining("More than 5 %") }]);
  const [gone, ...back] = fleets;
  for (const { servers } of back) await Promise.all(servers.map((server) => server.report(2)));
  await move(back, 1);
  await gone?.move(2);
  expect(await gone?.view()).toMatchObject({
    state: { code: "silent" },
    ourFault: expect.any(Number),
  });
  expect(await mailsTo(address)).toEqual([]);
  await gone?.move(3);
  expect(await gone?.view()).toMatchObject({
    ...{ state: { code: "down" }, incident: { severity: "pages" } },
  });
});
