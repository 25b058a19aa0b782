import { expect, test } from "vitest";
import { type Period, weekOf } from "~/features/google/tools/week";
import { isTimeZone, momentsOf, readWallTime, startOfDay, withOffset } from "~/ui/time-zones";

const at = (text: string) => Date.parse(text);
const utc = (moments: readonly number[]) => moments.map((each) => new Date(each).toISOString());

test.each([
  ["2026-03-29T01:59", "Europe/Berlin", ["2026-03-29T00:59:00.000Z"]],
  ["2026-03-29T02:30", "Europe/Berlin", []],
  ["2026-03-29T03:00", "Europe/Berlin", ["2026-03-29T01:00:00.000Z"]],
  ["2026-10-25T02:30", "Europe/Berlin", ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"]],
  ["2026-10-25T03:00", "Europe/Berlin", ["2026-10-25T02:00:00.000Z"]],
  [
    "2026-11-01T01:15",
    "America/New_York",
    ["2026-11-01T05:15:00.000Z", "2026-11-01T06:15:00.000Z"],
  ],
  ["2026-10-04T02:10", "Australia/Lord_Howe", []],
  [
    "2026-04-05T01:45",
    "Australia/Lord_Howe",
    ["2026-04-04T14:45:00.000Z", "2026-04-04T15:15:00.000Z"],
  ],
  ["2026-11-21T12:00", "Asia/Kathmandu", ["2026-11-21T06:15:00.000Z"]],
  ["2026-11-21T12:00", "UTC", ["2026-11-21T12:00:00.000Z"]],
])("clocks that show %s in %s do so at %j", (wall, zone, moments) => {
  expect(utc(momentsOf(wall, zone))).toEqual(moments);
});

test("moments all over a year are shown by clocks at the moments that show it", () => {
  for (const zone of ["Europe/Berlin", "America/St_Johns", "Pacific/Apia"]) {
    for (
      let moment = at("2026-01-01T00:00Z");
      moment < at("2027-01-01T00:00Z");
      moment += 115 * 900_000
    ) {
      const text = withOffset(moment, zone);
      expect(at(text)).toBe(moment);
      expect(momentsOf(text.slice(0, 16), zone)).toContain(moment);
    }
  }
});

test.each([
  ["2026-03-29T09:30", "2026-03-29T09:30"],
  ["2026-03-29T09:30:15", "2026-03-29T09:30"],
  ["2026-02-30T09:30", undefined],
  ["2026-03-29T24:01", undefined],
  ["2026-03-29 09:30", undefined],
  ["2026-03-29T09:30Z", undefined],
  ["", undefined],
])("%s is read as the wall time %s", (typed, wall) => {
  expect(readWallTime(typed)).toBe(wall);
});

test("zones are those of the IANA database", () => {
  expect(["Europe/Berlin", "UTC"].every(isTimeZone)).toBe(true);
  expect(["", "Europe/Atlantis", "<script>"].some(isTimeZone)).toBe(false);
});

test("a day that starts at one o'clock is a day", () => {
  // Lebanon's clocks go forward at midnight.
  expect(withOffset(startOfDay("2026-03-29", "Asia/Beirut"), "Asia/Beirut")).toBe(
    "2026-03-29T01:00:00+03:00",
  );
});

const period = (start: string, end: string): Period => ({ start: at(start), end: at(end) });

test("an event across midnight is on both days, and the rest of each day is free", () => {
  const window = period("2026-11-21T09:00:00+01:00", "2026-11-28T09:00:00+01:00");
  const busy = [
    period("2026-11-23T22:00:00+01:00", "2026-11-24T01:30:00+01:00"),
    period("2026-11-24T01:00:00+01:00", "2026-11-24T02:00:00+01:00"),
    period("2026-11-20T10:00:00+01:00", "2026-11-21T09:30:00+01:00"),
  ];
  const days = weekOf(window, busy, "Europe/Berlin");
  expect(days.map(({ date }) => date)).toEqual([
    "2026-11-21",
    "2026-11-22",
    "2026-11-23",
    "2026-11-24",
    "2026-11-25",
    "2026-11-26",
    "2026-11-27",
    "2026-11-28",
  ]);
  const spans = (date: string) => days.find((day) => day.date === date)?.spans;
  expect(spans("2026-11-21")).toEqual([
    { kind: "busy", from: 540, to: 570 },
    { kind: "free", from: 570, to: 1440 },
  ]);
  expect(spans("2026-11-23")).toEqual([
    { kind: "free", from: 0, to: 1320 },
    { kind: "busy", from: 1320, to: 1440 },
  ]);
  expect(spans("2026-11-24")).toEqual([
    { kind: "busy", from: 0, to: 120 },
    { kind: "free", from: 120, to: 1440 },
  ]);
  expect(spans("2026-11-28")).toEqual([{ kind: "free", from: 0, to: 540 }]);
});

test("the same event is on another day for somebody elsewhere", () => {
  const window = period("2026-11-21T00:00:00Z", "2026-11-28T00:00:00Z");
  const busy = [period("2026-11-23T22:00:00Z", "2026-11-23T23:00:00Z")];
  const busyDays = (zone: string) =>
    weekOf(window, busy, zone).filter(({ spans }) => spans.some(({ kind }) => kind === "busy"));
  expect(busyDays("UTC").map(({ date }) => date)).toEqual(["2026-11-23"]);
  expect(busyDays("Asia/Tokyo").map(({ date }) => date)).toEqual(["2026-11-24"]);
});

test("days of 23 and of 25 hours are whole days", () => {
  for (const [from, to] of [
    ["2026-03-28T00:00:00+01:00", "2026-03-31T00:00:00+02:00"],
    ["2026-10-24T00:00:00+02:00", "2026-10-27T00:00:00+01:00"],
  ] as const) {
    const days = weekOf(period(from, to), [], "Europe/Berlin");
    expect(days).toHaveLength(3);
    for (const { spans } of days) expect(spans).toEqual([{ kind: "free", from: 0, to: 1440 }]);
  }
});

test("in the hour that clocks show twice, what is busy once is busy, and nothing is empty or backwards", () => {
  const window = period("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z");
  const busyAt = (start: string, end: string) => {
    const [day] = weekOf(window, [period(start, end)], "Europe/Berlin");
    const spans = day?.spans ?? [];
    for (const { from, to } of spans) expect(from).toBeLessThan(to);
    // What is drawn lies side by side, from midnight to midnight.
    expect(spans.map(({ from }) => from)).toEqual([0, ...spans.map(({ to }) => to).slice(0, -1)]);
    expect(spans.at(-1)?.to).toBe(1440);
    return spans.filter(({ kind }) => kind === "busy").map(({ from, to }) => [from / 60, to / 60]);
  };
  const [first, second] = ["+02:00", "+01:00"];
  expect(busyAt(`2026-10-25T02:15${first}`, `2026-10-25T02:15${second}`)).toEqual([[2, 3]]);
  expect(busyAt(`2026-10-25T02:45${first}`, `2026-10-25T02:15${second}`)).toEqual([
    [2, 2.25],
    [2.75, 3],
  ]);
  expect(busyAt(`2026-10-25T02:15${first}`, `2026-10-25T02:45${first}`)).toEqual([[2.25, 2.75]]);
  expect(busyAt(`2026-10-25T02:15${second}`, `2026-10-25T02:45${second}`)).toEqual([[2.25, 2.75]]);
  expect(busyAt(`2026-10-25T01:30${first}`, `2026-10-25T02:30${second}`)).toEqual([[1.5, 3]]);
  expect(busyAt(`2026-10-25T02:59${first}`, `2026-10-25T03:00${second}`)).toEqual([[2, 3]]);
});

test("a week that begins in the hour that clocks show twice begins at its first minute of that day", () => {
  const window = period("2026-10-25T02:30:20+02:00", "2026-10-26T00:00:00+01:00");
  const [day] = weekOf(window, [], "Europe/Berlin");
  expect(day?.spans).toEqual([{ kind: "free", from: 120, to: 1440 }]);
});
