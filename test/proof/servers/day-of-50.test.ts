import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import type { Machine } from "../../support/servers/machine.ts";
import { makeFleet } from "../../support/servers/make-fleet.ts";
import {
  type Arrival,
  arrivalsOf,
  findingCodes,
  planDay,
} from "../../support/servers/planned-day.ts";
import { WatchedServer } from "../../support/servers/watched-server.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { seededRandom } from "../../support/site/random.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());

const minute = 60_000;
const minutes = 360;

/** What a machine says of a planned report. */
async function reportTo(machine: Machine, { seq, boot, at, finding, going }: Arrival) {
  const severity = finding === "critical" ? "critical" : "warning";
  const answer = await machine.report(
    seq,
    [
      ...(finding ? [`finding\t${findingCodes[finding]}\t${severity}\t\t\t`] : []),
      ...(going ? ["going\treboot"] : []),
    ],
    { boot, at: at / 1_000 },
  );
  expect(answer.status).toBe(200);
}

type Told = { openedAt: number; closedAt?: number; causes: readonly { code: string }[] };
const told = (incidents: readonly Told[]) =>
  incidents
    .toSorted((one, other) => one.openedAt - other.openedAt)
    .map(({ closedAt, causes }) => ({
      codes: causes.map(({ code }) => code).toSorted(),
      isOpen: closedAt === undefined,
    }));

test("six hours of 50 servers through the built Worker end as the pure step does", async () => {
  const random = seededRandom(50);
  const { fleets, workspace, servers, move } = await makeFleet(worker, { count: 50 });
  const begin = Date.now();
  const followed = servers.map((machine, at) => {
    machine.address = `192.0.2.${at}`;
    const day = planDay(random, minutes);
    return { machine, arrivals: arrivalsOf(day), pure: new WatchedServer(begin) };
  });
  for (let at = 0; at < minutes; at += 1) {
    await move(1);
    await Promise.all(
      followed.map(async ({ machine, arrivals, pure }) => {
        const arrived = arrivals(at);
        pure.at(at, arrived);
        for (const each of arrived) await reportTo(machine, each);
      }),
    );
  }
  await worker.moveFleetClock(workspace, 0);
  const views = new Map((await fleets.overview(workspace)).servers.map((view) => [view.id, view]));
  let incidents = 0;
  for (const { machine, pure } of followed) {
    const listed = await fleets.incidents(workspace, { server: machine.server });
    const expected = [...pure.incidents.values()];
    incidents += expected.length;
    expect(views.get(machine.server)?.state.code).toBe(pure.stateAt(minutes - 1));
    expect(told(listed)).toEqual(told(expected));
    const opened = listed.map(({ openedAt }) => openedAt).toSorted((one, other) => one - other);
    for (const [at, { openedAt }] of expected.entries()) {
      const late = (opened[at] ?? 0) - openedAt - minute;
      expect(late).toBeGreaterThan(-minute);
      // The Worker's own time passes too while the test moves its clock.
      expect(late).toBeLessThan(2 * minute + Date.now() - begin);
    }
  }
  expect(incidents).toBeGreaterThan(30);
}, 900_000);
