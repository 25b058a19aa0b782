import { expect, test } from "vitest";
import { belowAim, type Scores } from "../../bench/lighthouse-aims.ts";

const perfect: Scores = {
  ...{ performance: 100, accessibility: 100, "best-practices": 100, seo: 100 },
  ...{ shift: 0, largestPaintMs: 900, isReading: true, faults: [] },
};

test("a page that only reads has to reach 100 in every category, any other 98", () => {
  expect(belowAim({ "/": perfect, "/docs": { ...perfect, isReading: false } })).toEqual([]);
  const scores = { ...perfect, performance: 99, seo: 98 };
  expect(belowAim({ "/docs": scores })).toEqual([
    "/docs has 99 of 100 in performance",
    "/docs has 98 of 100 in seo",
  ]);
  expect(belowAim({ "/signin": { ...scores, isReading: false } })).toEqual([]);
  const low = { ...perfect, isReading: false, accessibility: 97 };
  expect(belowAim({ "/signin": low })).toEqual(["/signin has 97 of 98 in accessibility"]);
});

test("no page moves while it loads, and one is named for each of its faults", () => {
  const moving = { ...perfect, shift: 0.001, "best-practices": 99 };
  expect(belowAim({ "/": moving, "/docs": perfect })).toEqual([
    "/ has 99 of 100 in best-practices",
    "/ moves by 0.001 while it loads",
  ]);
});

test("where somebody comes to buy the largest part is painted within 1.5 seconds", () => {
  const slow = { ...perfect, largestPaintMs: 1_501 };
  expect(belowAim({ "/signup": { ...slow, largestPaintMs: 1_500 } })).toEqual([]);
  expect(belowAim({ "/signup": slow, "/docs": slow })).toEqual([
    "/signup is painted after 1501 ms, not within 1500",
  ]);
});
