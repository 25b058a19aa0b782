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
const minutes = 1_440;
/** A fleet sees a silence so much later than it begins, at most: docs/decisions/0055-incidents.md. */
const noticedWithin = 75_000;

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

type IncidentTimes = { openedAt: number; closedAt?: number; causes: readonly { code: string }[] };

/** What became of incidents, the oldest first, in milliseconds of the day. */
const outcomes = (incidents: readonly IncidentTimes[], begin: number) =>
  incidents
    .toSorted((one, other) => one.openedAt - other.openedAt)
    .map(({ openedAt, closedAt, causes }) => ({
      opened: openedAt - begin,
      closed: closedAt === undefined ? undefined : closedAt - begin,
      codes: causes.map(({ code }) => code).toSorted(),
    }));

test("a day of 50 servers through the built Worker ends as the pure step does", async () => {
  const random = seededRandom(50);
  const { fleets, workspace, servers, move } = await makeFleet(worker, { count: 50 });
  await worker.stopFleetClock(workspace);
  const begin = (await fleets.overview(workspace)).readAt + minute;
  const followed = servers.map((machine) => {
    const day = planDay(random, minutes);
    return { machine, arrivals: arrivalsOf(day), pure: new WatchedServer(begin) };
  });
  let reports = 0;
  for (let at = 0; at < minutes; at += 1) {
    await move(1);
    await Promise.all(
      followed.map(async ({ machine, arrivals, pure }) => {
        const arrived = arrivals(at);
        reports += arrived.length;
        // Calls are counted by address and minute of the real clock, in which many minutes of the day go by.
        machine.address = `${machine.server}, hour ${Math.floor(at / 60)}`;
        pure.at(at, arrived);
        for (const each of arrived) await reportTo(machine, each);
      }),
    );
  }
  const { servers: seen, readAt } = await fleets.overview(workspace);
  expect(readAt).toBe(begin + (minutes - 1) * minute);
  const views = new Map(seen.map((view) => [view.id, view]));
  let incidents = 0;
  for (const [at, { machine, pure }] of followed.entries()) {
    const expected = outcomes([...pure.incidents.values()], begin);
    incidents += expected.length;
    const page = await fleets.server(workspace, machine.server);
    const listed = outcomes(page?.incidents ?? [], begin);
    const late = listed.map(({ opened }, nth) => opened - (expected[nth]?.opened ?? 0));
    const isSilence = expected.map(({ codes }) => codes.includes("down"));
    expect(
      { state: views.get(machine.server)?.state.code, incidents: listed },
      `server ${at}`,
    ).toEqual({
      state: pure.stateAt(minutes - 1),
      // Of silences alone the moment may be another, by no more than a person notices.
      incidents: expected.map((each, nth) => {
        const lateness = late[nth] ?? 0;
        const isAllowed = isSilence[nth] && lateness >= 0 && lateness <= noticedWithin;
        return isAllowed ? { ...each, opened: each.opened + lateness } : each;
      }),
    });
  }
  // What the seed plans: with fewer the days would have become too quiet to prove anything.
  expect({ reports, incidents }).toEqual({ reports: 65_700, incidents: 172 });
}, 3_600_000);
