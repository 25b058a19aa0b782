import { expect, test } from "vitest";
import { measureFleet } from "../../bench/fleet/fleet.ts";
import { measureCalls, measureSessions } from "../../bench/fleet/sessions.ts";
import { portBase } from "../../support/site/own-site.ts";

// Its milliseconds mean nothing here; `npm run bench -- fleet` on a quiet machine says them.
test("the benchmark of following servers runs through all its parts", async () => {
  const extent = { runs: 1, servers: 3, minutesCounted: 3, days: 2 };
  expect(await measureFleet(portBase + 8, extent)).toMatchObject({
    hour: { rowsPerReport: 2 },
    list: { servers: extent.servers, calls: 1 },
    storage: { days: extent.days },
  });
});

test("the benchmark of sessions fills a history, and reads its first page and its file", async () => {
  const measured = await measureSessions(portBase + 8, { participants: 300, runs: 1 });
  expect(measured).toMatchObject({ participants: 300 });
  expect(measured.mBPart).toBeGreaterThan(0);
});

test("the benchmark of calls fills evidence and agents beside the sessions, and reads their page", async () => {
  const measured = await measureCalls(portBase + 8, { participants: 300, runs: 1 });
  expect(measured.mBWithCalls).toBeGreaterThan(measured.mBStored);
  expect(measured.mBWithAgents).toBeGreaterThanOrEqual(measured.mBWithCalls);
});
