import { expect, test } from "vitest";
import {
  isUpdateWindow,
  nextWindow,
  type UpdateWindow,
} from "~/features/servers/rollouts/update-window.ts";
import { withOffset } from "~/ui/time-zones.ts";

const night = { from: 2, until: 5 };
const zone = "Europe/Berlin";
function next(now: string, window: UpdateWindow = night) {
  const { beginsAt, endsAt } = nextWindow(window, zone, Date.parse(now));
  return [withOffset(beginsAt, zone), withOffset(endsAt, zone)];
}

test("a window is the next one by the clocks of the zone, or the present one while half an hour is left", () => {
  const tonight = ["2026-11-30T02:00:00+01:00", "2026-11-30T05:00:00+01:00"];
  expect(next("2026-11-29T14:00:00+01:00")).toEqual(tonight);
  expect(next("2026-11-29T04:31:00+01:00")).toEqual(tonight);
  expect(next("2026-11-30T04:30:00+01:00")).toEqual(["2026-11-30T04:30:00+01:00", tonight[1]]);
});

test("a window over midnight ends on the day after", () => {
  expect(next("2026-11-29T14:00:00+01:00", { from: 22, until: 3 })).toEqual([
    ...["2026-11-29T22:00:00+01:00", "2026-11-30T03:00:00+01:00"],
  ]);
});

test("on days on which clocks are changed a window is never longer than it says, also where its first hour is skipped", () => {
  const short = { from: 2, until: 3 };
  expect(next("2026-03-28T14:00:00+01:00", short)).toEqual([
    ...["2026-03-29T03:00:00+02:00", "2026-03-29T04:00:00+02:00"],
  ]);
  expect(next("2026-10-24T14:00:00+02:00", short)).toEqual([
    ...["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00"],
  ]);
});

test("every window ends within the two days that a machine takes, and is one to twelve hours long", () => {
  const twoDays = 2 * 86_400_000;
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  for (const from of hours)
    for (const until of hours) {
      const window = { from, until };
      const length = (until - from + 24) % 24;
      expect(isUpdateWindow(window)).toBe(length >= 1 && length <= 12);
      if (length !== 1 && length !== 12) continue;
      for (const day of ["2026-03-28", "2026-10-24", "2026-11-29"])
        for (const hour of [0, 1, 4, 9, 13, 18, 23]) {
          const now = Date.parse(`${day}T00:31Z`) + hour * 3_600_000;
          const { beginsAt, endsAt } = nextWindow(window, zone, now);
          expect(beginsAt).toBeGreaterThanOrEqual(now);
          expect(endsAt - beginsAt).toBeLessThanOrEqual(length * 3_600_000);
          expect(endsAt - beginsAt).toBeGreaterThan(0);
          expect(endsAt - now).toBeLessThan(twoDays);
        }
    }
});
