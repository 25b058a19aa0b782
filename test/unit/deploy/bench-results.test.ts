import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { benchmarkTables, tableIn, threeFigures } from "../../bench/benchmark-tables.ts";
import { costTable } from "../../bench/fleet/cost.ts";
import { overLimit } from "../../bench/fleet/limits.ts";
import { readResults } from "../../bench/results.ts";

test("the README and docs/benchmarks.md show the figures of the last benchmark", () => {
  const results = readResults();
  expect(tableIn(readFileSync("README.md", "utf8"))).toBe(threeFigures(results));
  expect(threeFigures(results).split("\n")).toHaveLength(3);
  expect(tableIn(readFileSync("docs/benchmarks.md", "utf8"))).toBe(benchmarkTables(results));
});

test("the operator reads what servers cost by the last benchmark", () => {
  const { fleet } = readResults();
  expect(fleet && costTable(fleet)).toBe(tableIn(readFileSync("docs/operations.md", "utf8")));
});

test("following servers cost no more than it may at the last benchmark, which fails beyond that", () => {
  const { fleet } = readResults();
  if (!fleet) throw new Error("Run npm run bench -- fleet");
  expect(overLimit(fleet)).toEqual([]);
  const { hour, storage } = fleet;
  const costly = { ...storage, kBPerServer: 601, chartMs: { ...storage.chartMs, "48h": 5.1 } };
  expect(overLimit({ ...fleet, report: { ...fleet.report, cpuMs: 1.6 }, storage: costly })).toEqual(
    ["reportMs", "kBPerServer", "chartMs"],
  );
  expect(
    overLimit({
      ...fleet,
      hour: { ...hour, rowsPerReport: 3, alarmsPerThreeMinutes: 1.5 },
      list: { ...fleet.list, calls: 2 },
    }),
  ).toEqual(["rowsPerReport", "alarmsPerThreeMinutes", "callsOfList"]);
});

test("each figure of the benchmark says when and on how many cores it was measured, and no more", () => {
  const results = readResults();
  expect(Object.keys(results).length).toBeGreaterThan(0);
  for (const part of Object.values(results)) {
    expect(part).toMatchObject({
      measuredOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      machine: expect.stringMatching(/^\d+ cores$/),
    });
  }
});
