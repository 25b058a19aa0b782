import { expect, test } from "vitest";
import type { Channel } from "~/features/servers/notifications/channel.ts";
import {
  alertTimesIn,
  changeAlertTimes,
} from "~/features/servers/notifications/times/alert-times.server.ts";
import {
  firstNow,
  handoverDay,
  type Rota,
  withTurnsNow,
} from "~/features/servers/notifications/times/rota.ts";
import { prepareTables } from "~/features/servers/storage/tables.server.ts";
import { begin, minute } from "../../../support/servers/incident-step.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const berlin = "Europe/Berlin";
const at = (time: string) => Date.parse(time);
/** Monday at nine. */
const rota: Rota = { people: ["ada", "ben", "cat"], from: "2026-03-16", hour: 9, absences: [] };
const first = (time: string, of = rota, zone = berlin) => firstNow(of, zone, at(time), () => true);

test.for([
  ["right before the handover", "2026-03-23T07:59:59Z", "ada"],
  ["at the handover", "2026-03-23T08:00:00Z", "ben"],
  [
    "an hour later by UTC once clocks went back an hour less: still not",
    "2026-03-30T06:59:59Z",
    "ben",
  ],
  ["at nine by the clocks of summer", "2026-03-30T07:00:00Z", "cat"],
  ["after everybody, the first again", "2026-04-06T07:00:00Z", "ada"],
  ["in the week before the rota was made", "2026-03-15T12:00:00Z", "cat"],
] as const)("who is first changes at the hour that clocks there show: %s", ([, time, person]) => {
  expect(first(time)).toBe(person);
});

test.for([
  ["America/New_York", 1],
  ["America/New_York", 2],
  [berlin, 2],
  [berlin, 3],
  ["Australia/Lord_Howe", 2],
  ["America/Havana", 0],
] as const)(
  "a year of weeks has one handover each, whatever clocks do: %s at %i",
  ([zone, hour]) => {
    const sunday = at("2026-01-04T00:00Z");
    const changes = Array.from({ length: 52 }, (_, week) => {
      const days = Array.from({ length: 96 }, (_, half) => {
        const now = sunday + (week * 7 * 24 + half / 2 - 12) * 60 * minute;
        return handoverDay({ from: "2026-01-04", hour }, zone, now);
      });
      // Once over, the week before does not come back in the hour that clocks repeat.
      expect(days).toEqual(days.toSorted());
      return new Set(days).size - 1;
    });
    expect(changes).toEqual(changes.map(() => 1));
  },
);

test("somebody who is away, or whom nothing reaches, is followed by the next who can", () => {
  const away: Rota = {
    ...rota,
    absences: [{ person: "ada", from: "2026-03-18", until: "2026-03-19" }],
  };
  expect(first("2026-03-17T22:59:00Z", away)).toBe("ada");
  expect(first("2026-03-17T23:00:00Z", away)).toBe("ben");
  expect(first("2026-03-19T22:59:00Z", away)).toBe("ben");
  expect(first("2026-03-19T23:00:00Z", away)).toBe("ada");
  const now = at("2026-03-18T12:00:00Z");
  expect(firstNow(away, berlin, now, (person) => person !== "ben")).toBe("cat");
  expect(firstNow(away, berlin, now, (person) => person === "ada")).toBeUndefined();
});

const mail = (person: string, more: Partial<Channel> = {}): Channel => ({
  ...{ kind: "mail", person, address: `${person}@example.com`, id: person, madeAt: begin },
  turn: "second",
  ...(more as object),
});
const phone: Channel = {
  ...{ kind: "push", fields: {}, place: "Chrome", id: "phone", madeAt: begin, turn: "first" },
  addedBy: "ben",
};
const pager: Channel = {
  ...{ kind: "pagerduty", routingKey: "key", id: "pager", madeAt: begin, turn: "first" },
  addedBy: "ben",
};
const now = at("2026-03-17T12:00:00Z");
const turns = (channels: Channel[], of: Rota | undefined = rota, deployment?: string) =>
  withTurnsNow(channels, of, berlin, now, deployment).map(({ id, turn }) => `${id} ${turn}`);

test("mail and push of the one whose week it is come first, those of the others second", () => {
  const channels = [mail("ada"), mail("ben", { turn: "first" }), phone, pager, mail("dan")];
  expect(turns(channels)).toEqual([
    "ada first",
    "ben second",
    "phone second",
    // Who reads these is not known, or not in the rota: they have turns of their own.
    "pager first",
    "dan second",
  ]);
  expect(withTurnsNow(channels, undefined, berlin, now)).toEqual(channels);
});

test("where nothing arrives at the first, or not of that deployment, the next is first", () => {
  const failed = { failed: { at: begin, reason: "It answered 500." } };
  expect(turns([mail("ada", failed), mail("ben")])).toEqual(["ada second", "ben first"]);
  const limited = mail("ada", { limits: { deployments: ["media"] } });
  expect(turns([limited, mail("ben")], rota, "media")).toEqual(["ada first", "ben second"]);
  expect(turns([limited, mail("ben")], rota, "staging")).toEqual(["ada second", "ben first"]);
  expect(turns([pager, mail("dan")])).toEqual(["pager first", "dan second"]);
});

test("a rota is of people whom something reaches, and begins with the last handover", () => {
  const sql = sqliteStorage();
  prepareTables(sql);
  const surroundings = { channels: [mail("ada"), phone], now };
  const change = (what: Parameters<typeof changeAlertTimes>[1]) =>
    changeAlertTimes(sql, what, surroundings);
  expect(alertTimesIn(sql)).toEqual({ zone: "UTC" });
  expect(change({ zone: "Europe/Atlantis" })).toBe(false);
  expect(change({ zone: berlin })).toBe(true);
  const absence = { person: "ada", from: "2026-04-01", until: "2026-04-05" };
  expect(change({ absence })).toBe(false);
  expect(change({ rota: { people: ["ada", "dan"], weekday: 1, hour: 9 } })).toBe(false);
  expect(change({ rota: { people: [], weekday: 1, hour: 9 } })).toBe(false);
  expect(change({ rota: { people: ["ada", "ben"], weekday: 1, hour: 9 } })).toBe(true);
  expect(change({ absence })).toBe(true);
  expect(change({ absence: { ...absence, person: "dan" } })).toBe(false);
  const made = { people: ["ada", "ben"], from: "2026-03-16", hour: 9, absences: [absence] };
  expect(alertTimesIn(sql)).toEqual({ zone: berlin, rota: made });
  // 13:00 there: this Tuesday's handover at 14:00 is still to come.
  expect(change({ rota: { people: ["ben"], weekday: 2, hour: 14 } })).toBe(true);
  expect(alertTimesIn(sql).rota).toMatchObject({ from: "2026-03-10", absences: [] });
  expect(change({ rota: { people: ["ben"], weekday: 2, hour: 13 } })).toBe(true);
  expect(alertTimesIn(sql).rota?.from).toBe("2026-03-17");
  expect(change({ absence: { ...absence, person: "ben" } })).toBe(true);
  expect(change({ absence: { ...absence, person: "ben" }, isOver: true })).toBe(true);
  expect(alertTimesIn(sql).rota?.absences).toEqual([]);
  expect(change({ rota: null })).toBe(true);
  expect(alertTimesIn(sql)).toEqual({ zone: berlin });
});
