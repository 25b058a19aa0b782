import { expect, test } from "vitest";
import {
  acknowledged,
  isPaging,
  snoozed,
  unacknowledged,
} from "~/features/servers/incidents/incident.ts";
import { stepIncident } from "~/features/servers/incidents/step.ts";
import {
  begin,
  critical,
  down,
  FollowedIncident,
  minute,
  warning,
} from "../../../support/servers/incident-step.ts";

const followed = () => new FollowedIncident();

test("a server that is down opens one incident, which closes after five good minutes", () => {
  const server = followed().during(0, 10, down()).during(10, 20);
  expect(server.sent).toEqual([
    [0, "opened"],
    [15, "closed"],
  ]);
  expect(server.opened).toBe(1);
  expect(server.incident).toMatchObject({
    openedAt: begin,
    closedAt: begin + 15 * minute,
    severity: "page",
    causes: [{ code: "down", since: begin, endedAt: begin + 10 * minute }],
  });
});

test("four good minutes close nothing", () => {
  const server = followed().at(0, down()).during(1, 5).at(5, down()).during(6, 10);
  expect(server.sent).toEqual([[0, "opened"]]);
  expect(server.incident).not.toHaveProperty("closedAt");
});

test.for([
  [30, 1, ["opened", "closed", "reopened"]],
  [31, 2, ["opened", "closed", "opened"]],
] as const)("what is wrong again after %i minutes makes %i incidents", ([later, count, events]) => {
  const server = followed().at(0, down()).during(1, 8);
  const closed = 6;
  server.at(closed + later, down());
  expect(server.opened).toBe(count);
  expect(server.sent.map(([, event]) => event)).toEqual(events);
});

test("warnings open an incident of which nothing is said at once", () => {
  const server = followed().during(0, 5, warning).during(5, 20);
  expect(server.sent).toEqual([]);
  expect(server.incident).toMatchObject({ severity: "notify", closedAt: begin + 10 * minute });
});

test("the worst of the causes is the severity, and something more that pages is said", () => {
  const server = followed().at(0, warning).at(1, warning, down()).at(2, warning, down(), critical);
  expect(server.sent).toEqual([
    [1, "opened"],
    [2, "worse"],
  ]);
  expect(server.incident?.causes.map(({ code }) => code)).toEqual([
    "down",
    "turn.udp.silent",
    "disk.filling",
  ]);
});

test("when only a warning lasts, the end of the rest is said, and its return too", () => {
  const server = followed().at(0, warning, down()).during(1, 10, warning);
  expect(server.sent.at(-1)).toEqual([6, "closed"]);
  expect(server.incident).toMatchObject({ severity: "notify" });
  expect(server.incident).not.toHaveProperty("closedAt");
  server.at(10, warning, down());
  expect(server.sent.at(-1)).toEqual([10, "reopened"]);
  expect(server.opened).toBe(1);
});

test("after four messages an hourly sum says how much changed, until the end is said", () => {
  const server = followed();
  for (let round = 0; round < 8; round += 1) {
    server.during(round * 10, round * 10 + 2, down()).during(round * 10 + 2, round * 10 + 10);
  }
  server.during(80, 200);
  expect(server.sent).toEqual([
    [0, "opened"],
    [7, "closed"],
    [10, "reopened"],
    [17, "closed"],
    [77, "rollup", 12],
  ]);
  expect(server.incident && isPaging(server.incident)).toBe(false);
});

test("a cause that lasts keeps its time, and one that came back has a new one", () => {
  const server = followed()
    .at(0, down())
    .at(3, down(begin + 3 * minute));
  expect(server.incident?.causes).toMatchObject([{ since: begin }]);
  server.at(4).at(6, down(begin + 6 * minute));
  expect(server.incident?.causes).toMatchObject([{ since: begin + 6 * minute }]);
});

test("where nothing changes, nothing is written", () => {
  const server = followed().at(0, down(), warning).answered(0);
  const before = server.incident;
  server.during(1, 60, down(), warning);
  expect(server.incident).toBe(before);
});

test("during a maintenance nothing is said, and afterwards what lasts is", () => {
  const server = followed();
  server.quietUntil = begin + 60 * minute;
  server.during(0, 60, down());
  expect(server.sent).toEqual([]);
  server.at(60, down());
  expect(server.sent).toEqual([[60, "opened"]]);
});

test("what began and ended during a maintenance is never said", () => {
  const server = followed();
  server.quietUntil = begin + 60 * minute;
  server.during(0, 10, down()).during(10, 90);
  expect(server.sent).toEqual([]);
});

test("a snoozed incident says only that it is over", () => {
  const server = followed().at(0, down());
  if (server.incident) server.incident = snoozed(server.incident, begin + 60 * minute);
  server.at(1, down(), critical).during(2, 10);
  expect(server.sent).toEqual([
    [0, "opened"],
    [7, "closed"],
  ]);
});

test("when a snooze ends, an incident that lasts is said again", () => {
  const server = followed().at(0, down());
  if (server.incident) server.incident = snoozed(server.incident, begin + 60 * minute);
  server.during(1, 120, down());
  expect(server.sent).toEqual([
    [0, "opened"],
    [60, "rollup", 1],
    ...[75, 90, 105].map((at) => [at, "repeated"]),
  ]);
});

test("the member who acknowledges first is named, and the name ends with the incident", () => {
  const server = followed().at(0, down());
  if (!server.incident) throw new Error("No incident was opened");
  const one = acknowledged(server.incident, { by: "one", at: begin + minute });
  expect(acknowledged(one, { by: "other", at: begin + 2 * minute })).toBe(one);
  server.incident = one;
  server.at(1, down(), critical);
  expect(server.incident).toMatchObject({ acknowledged: { by: "one" } });
  server.during(2, 8).at(8, down());
  expect(server.incident).not.toHaveProperty("acknowledged");
});

test("a second outage is sent, though something else has paged all the time between", () => {
  const server = followed().at(0, critical).answered(0).during(600, 610, critical, down());
  server.during(610, 620, critical).during(5_000, 5_010, critical, down());
  expect(server.sent).toEqual([
    [0, "opened"],
    [600, "worse"],
    [5_000, "worse"],
  ]);
});

test("an outage that comes and goes within five minutes is sent once beside a cause that lasts", () => {
  const server = followed().at(0, critical).answered(0);
  for (let at = 10; at < 40; at += 3) server.at(at, critical, down()).at(at + 1, critical);
  expect(server.sent).toEqual([
    [0, "opened"],
    [10, "worse"],
  ]);
});

test("beside a warning that lasts for months each outage is sent like an incident of its own", () => {
  const server = followed();
  const day = 24 * 60;
  for (const start of [0, 20 * day, 40 * day, 60 * day]) {
    server.during(start, start + 20, warning, down()).during(start + 20, start + 40, warning);
    expect(server.incident).toMatchObject({ pagesSince: begin + start * minute });
  }
  expect(server.opened).toBe(1);
  expect(server.sent).toEqual(
    [0, 20 * day, 40 * day, 60 * day].flatMap((start) => [
      [start, "opened"],
      [start + 15, "repeated"],
      [start + 25, "closed"],
    ]),
  );
});

test("who acknowledged an outage is not named at the next one, though a warning has lasted between", () => {
  const server = followed().at(0, warning, down());
  if (!server.incident) throw new Error("No incident");
  server.incident = acknowledged(server.incident, { by: "ada", at: begin });
  server.during(1, 10, warning, down());
  expect(server.incident).toHaveProperty("acknowledged");
  server.during(10, 20, warning);
  expect(server.incident).not.toHaveProperty("acknowledged");
});

test("what nobody acknowledges for three hours is repeated eight times, then after an hour, and no more", () => {
  const server = followed().during(0, 181, down());
  expect(server.sent).toEqual([
    [0, "opened"],
    ...[15, 30, 45, 60, 75, 90, 105, 120, 180].map((at) => [at, "repeated"]),
  ]);
  server.during(181, 1_441, down());
  expect(server.sent.length - 10).toBe(21);
});

test.for([
  ["is acknowledged", (server: FollowedIncident) => server.answered(20).during(21, 300, down())],
  ["is over", (server: FollowedIncident) => server.during(21, 300)],
] as const)("repeats stop when it %s", ([, ends]) => {
  const server = ends(followed().during(0, 21, down()));
  const repeats = server.sent.filter(([, event]) => event === "repeated");
  expect(repeats).toEqual([[15, "repeated"]]);
});

test("an acknowledgement that was taken back lets the repeats go on at once", () => {
  const server = followed().at(0, down()).answered(1).during(1, 100, down());
  if (server.incident) server.incident = unacknowledged(server.incident);
  server.during(100, 120, down());
  expect(server.sent).toEqual([
    [0, "opened"],
    [100, "repeated"],
    [115, "repeated"],
  ]);
});

test("nothing is repeated while nothing pages, in a maintenance and during a snooze", () => {
  const server = followed().during(0, 14, down()).during(14, 17).at(17, down());
  expect(server.sent).toEqual([
    [0, "opened"],
    [17, "repeated"],
  ]);
  server.quietUntil = begin + 60 * minute;
  server.during(18, 60, down());
  if (server.incident) server.incident = snoozed(server.incident, begin + 90 * minute);
  server.during(60, 90, down());
  expect(server.sent).toHaveLength(2);
});

test("a new outage is repeated anew, however often the one before it was", () => {
  const server = followed().during(0, 200, warning, down()).during(200, 300, warning);
  const before = server.sent.length;
  server.during(300, 340, warning, down());
  expect(server.sent.slice(before)).toEqual([
    [300, "opened"],
    [315, "repeated"],
    [330, "repeated"],
  ]);
});

test("a repeat that is due soon goes with those of other servers", () => {
  const { incident } = followed().at(0, down());
  const at = (repeatsBy: number) =>
    stepIncident(incident, [down()], begin + 12 * minute, {
      ...{ newId: () => "other", server: "server", repeatsBy: begin + repeatsBy * minute },
    }).notifications;
  expect(at(15)).toEqual([{ event: "repeated" }]);
  expect(at(14)).toEqual([]);
});
