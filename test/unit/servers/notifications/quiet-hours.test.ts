import { expect, test } from "vitest";
import { hoursEnd } from "~/features/servers/hours.ts";
import type { Channel } from "~/features/servers/notifications/channel.ts";
import { saveChannel } from "~/features/servers/notifications/channels.server.ts";
import type { Delivery } from "~/features/servers/notifications/current-message.ts";
import { dueDeliveries, saveDelivery } from "~/features/servers/notifications/deliveries.server.ts";
import { changeAlertTimes } from "~/features/servers/notifications/times/alert-times.server.ts";
import { mailChannel, monitoredFleet } from "../../../support/servers/monitored-fleet.ts";

const night = { from: 22, until: 7 };
const berlin = "Europe/Berlin";
const ends = (time: string, quiet = night, zone = berlin) => {
  const until = hoursEnd(quiet, zone, Date.parse(time));
  return until === undefined ? undefined : new Date(until).toISOString();
};

test.for([
  ["before they begin", "2026-11-24T20:59:00Z", undefined],
  ["when they begin", "2026-11-24T21:00:00Z", "2026-11-25T06:00:00.000Z"],
  ["after midnight", "2026-11-25T02:00:00Z", "2026-11-25T06:00:00.000Z"],
  ["when they end", "2026-11-25T06:00:00Z", undefined],
  ["in the night that is an hour shorter", "2026-03-28T21:00:00Z", "2026-03-29T05:00:00.000Z"],
  ["in the night that is an hour longer", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00.000Z"],
] as const)("quiet hours are those that clocks there show: %s", ([, time, until]) => {
  expect(ends(time)).toBe(until);
});

test("hours of one day, and an end that clocks skip or show twice", () => {
  const meeting = { from: 13, until: 15 };
  expect(ends("2026-11-24T13:30:00Z", meeting)).toBe("2026-11-24T14:00:00.000Z");
  expect(ends("2026-11-24T11:30:00Z", meeting)).toBeUndefined();
  const early = { from: 22, until: 2 };
  expect(ends("2026-03-29T00:30:00Z", early)).toBe("2026-03-29T01:00:00.000Z");
  expect(ends("2026-10-24T23:30:00Z", early)).toBe("2026-10-25T00:00:00.000Z");
  expect(ends("2026-11-24T18:00:00Z", night, "Asia/Kathmandu")).toBe("2026-11-25T01:15:00.000Z");
});

const quiet: Channel = { ...mailChannel, quiet: night };
const evening = Date.parse("2026-11-24T22:30:00Z");
const morning = Date.parse("2026-11-25T06:00:00Z");

test("digests and tests wait for the morning, once tried or not; a page does not wait", async () => {
  const { sql, clock, queue, ids } = monitoredFleet(1);
  saveChannel(sql, quiet);
  const now = evening;
  changeAlertTimes(sql, { zone: berlin }, { channels: [], now });
  clock.now = now;
  const [{ incident } = { incident: "" }] = ids;
  const waiting = { channel: quiet.id, due: now, from: now, tries: 0 };
  const deliveries: Delivery[] = [
    { ...waiting, id: "test", kind: "test", items: [] },
    { ...waiting, id: "tried", kind: "test", items: [], tries: 2, from: now - 9_000 },
    { ...waiting, id: "page", kind: "notification", items: [{ incident, event: "repeated" }] },
  ];
  for (const each of deliveries) saveDelivery(sql, each);
  await queue.sendDue();
  const held = dueDeliveries(sql, morning);
  expect(held.map(({ id, due, from }) => [id, due, from])).toEqual([
    ["tried", morning, now - 9_000],
    ["test", morning, morning],
  ]);
  expect(dueDeliveries(sql, morning - 1)).toEqual([]);
  // Then they are tried: this fleet has nothing set up to send with.
  clock.now = morning;
  await queue.sendDue();
  expect(dueDeliveries(sql, morning)).toEqual([]);
  expect(dueDeliveries(sql, morning + 3_600_000)).not.toEqual([]);
});

test("the end of a watch does not wait for the morning", async () => {
  const { sql, clock, queue } = monitoredFleet(1);
  saveChannel(sql, quiet);
  changeAlertTimes(sql, { zone: berlin }, { channels: [], now: evening });
  clock.now = evening;
  queue.addDisconnected({ id: crypto.randomUUID(), name: "sfu-1", deployment: "any" });
  await queue.sendDue();
  // It was tried at once: this fleet has nothing set up to send with.
  const [tried] = dueDeliveries(sql, morning - 1);
  expect(tried).toMatchObject({ kind: "disconnected", tries: 1 });
});
