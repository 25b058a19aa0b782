import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { costTable } from "../../bench/fleet/cost.ts";
import { readmeTable, shownTable } from "../../bench/readme-table.ts";
import { readResults } from "../../bench/results.ts";

test("the README shows the figures of the last benchmark", () => {
  expect(shownTable(readFileSync("README.md", "utf8"))).toBe(readmeTable(readResults()));
});

test("the operator reads what servers cost by the last benchmark", () => {
  const { fleet } = readResults();
  expect(fleet && costTable(fleet)).toBe(shownTable(readFileSync("docs/operations.md", "utf8")));
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
