import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  clockTimeOf,
  dayOf,
  fromSeconds,
  isoDayOf,
  localDayAndTimeOf,
  momentOf,
  monthOf,
  shortDayOf,
  shortMomentOf,
  weekdayOf,
} from "../../../app/ui/dates.ts";

const late = "2026-11-22T23:30:00-01:00";

test("a time is written in UTC and in one language, whatever zone it was given in", () => {
  expect(dayOf(late)).toBe("November 23, 2026");
  expect(shortDayOf(late)).toBe("Nov 23, 2026");
  expect(weekdayOf("2026-11-22")).toBe("Sun, Nov 22");
  expect(monthOf(late)).toBe("November 2026");
  expect(momentOf(late)).toBe("November 23, 2026 at 12:30 AM UTC");
  expect(shortMomentOf(late)).toBe("Nov 23, 2026, 12:30 AM UTC");
  expect(clockTimeOf(late)).toBe("12:30 AM UTC");
  expect(isoDayOf(new Date(late))).toBe("2026-11-23");
  expect(dayOf(null)).toBe("an unknown date");
});

test("Stripe's seconds are not taken for milliseconds", () => {
  expect(dayOf(fromSeconds(Date.parse("2027-01-31") / 1_000))).toBe("January 31, 2027");
});

test("dates are put into words in one place", () => {
  const others = globSync("app/**/*.{ts,tsx}").filter(
    (file) =>
      file !== "app/ui/dates.ts" &&
      /DateTimeFormat\([^)]*Style|toLocale(?:Date|Time)?String\([^)]*Style|toLocale(?:Date|Time)String/.test(
        readFileSync(file, "utf8"),
      ),
  );
  expect(others).toEqual([]);
});

test("a time is of today where the reader has the same day", () => {
  const time = new Date("2026-11-22T10:30:00");
  const later = (hours: number) => new Date(time.getTime() + hours * 3_600_000);
  expect(localDayAndTimeOf(time, later(1))).toEqual({
    ...{ day: "Nov 22, 2026", time: expect.stringMatching(/^10:30\sAM$/), isToday: true },
  });
  expect(localDayAndTimeOf(time, later(14)).isToday).toBe(false);
});
