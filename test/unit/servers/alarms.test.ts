import { expect, test } from "vitest";
import { Alarms } from "../../../app/features/servers/storage/alarms.server.ts";

const begin = Date.parse("2026-11-24T12:00:00Z");
const minute = 60_000;

/** The alarms of a fleet of which nothing is due, with a clock of the test's, and when the alarm is set to. */
function fleetAlarms() {
  const clock = { now: begin };
  let set: number | null = null;
  const storage = {
    getAlarm: async () => set,
    setAlarm: async (at: number) => {
      set = at;
    },
  } as DurableObjectStorage;
  return { clock, alarms: new Alarms(storage, () => clock.now, {}), at: () => set };
}

test("an alarm that is late comes at once with the next report, and is not put off by it", async () => {
  const { clock, alarms, at } = fleetAlarms();
  await alarms.notLaterThan(begin + 10_000);
  for (clock.now += 2 * minute; clock.now < begin + 5 * minute; clock.now += 5_000) {
    await alarms.notLaterThan(clock.now + 3 * minute);
    expect(at()).toBeLessThanOrEqual(clock.now);
  }
});

test("an alarm that is in time stays where a report asks for a later one", async () => {
  const { alarms, at } = fleetAlarms();
  await alarms.notLaterThan(begin + minute);
  await alarms.notLaterThan(begin + 3 * minute);
  expect(at()).toBe(begin + minute);
});
