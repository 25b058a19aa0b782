import { expect, test } from "vitest";
import type { Notification } from "~/features/servers/incidents/step.ts";
import {
  arrivalsOf,
  type Outcome,
  planDay,
  plannedOutcome,
} from "../../support/servers/planned-day.ts";
import { WatchedServer } from "../../support/servers/watched-server.ts";
import { seededRandom } from "../../support/site/random.ts";

const begin = Date.parse("2026-11-24T00:00:00Z");
const minute = 60_000;
const servers = 10_000;
const minutes = 1_440;

/** What became of a server whose day the pure step followed. */
function outcomeOf(server: WatchedServer): Outcome {
  const at = (time: number) => (time - begin) / minute;
  return {
    state: server.stateAt(minutes - 1) as Outcome["state"],
    incidents: [...server.incidents.values()].map(({ openedAt, closedAt, causes }) => ({
      opened: at(openedAt),
      closed: closedAt === undefined ? undefined : at(closedAt),
      codes: causes.map(({ code }) => code).toSorted(),
    })),
  };
}

/** What was said of each outage of an incident, which a warning may hold open between them. */
function outagesIn(events: readonly Notification["event"][]): Notification["event"][][] {
  const begins = events.flatMap((event, at) => (event === "opened" && at > 0 ? [at] : []));
  return [0, ...begins].map((from, each) => events.slice(from, begins[each]));
}

test("a day of 10,000 servers ends in the states and incidents that were planned, none of them twice", () => {
  const random = seededRandom(19);
  let [reports, incidents] = [0, 0];
  for (let each = 0; each < servers; each += 1) {
    const day = planDay(random, minutes);
    const arrivals = arrivalsOf(day);
    const server = new WatchedServer(begin);
    for (let at = 0; at < minutes; at += 1) {
      const arrived = arrivals(at);
      reports += arrived.length;
      server.at(at, arrived);
    }
    const outcome = outcomeOf(server);
    incidents += outcome.incidents.length;
    expect(outcome, `server ${each}`).toEqual(plannedOutcome(day));
    for (const events of server.sent.values()) {
      const outages = outagesIn(events);
      for (const outage of outages) {
        expect(outage[0]).toBe("opened");
        const atOnce = outage.filter((event) => event !== "rollup" && event !== "repeated");
        expect(atOnce.length).toBeLessThanOrEqual(4);
      }
      // None begins again before its end was said.
      for (const outage of outages.slice(0, -1)) {
        expect(["closed", "rollup"]).toContain(outage.at(-1));
      }
    }
  }
  console.log(`${reports} reports of ${servers} servers made ${incidents} incidents`);
  expect(incidents).toBeGreaterThan(servers);
}, 600_000);
