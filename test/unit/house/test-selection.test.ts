import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { importsOf } from "../../support/run/imports.ts";
import {
  featureOf,
  featuresMeeting,
  filesOfFeature,
  filesReachedBy,
  testFiles,
} from "../../support/run/selection.ts";
import { closingLine, timesTable } from "../../support/run/summary-reporter.ts";
import { isDue } from "../../support/run/when-changed.ts";

const files = testFiles();
const imports = importsOf("{app,workers,fakes,scripts,test}/**/*.{ts,tsx,mjs}");
const reachedBy = (...changed: string[]) => filesReachedBy(changed, imports, files);

test("a feature's name selects its tests at all levels, and any other name those with it in their path", () => {
  const billing = filesOfFeature("billing", files);
  for (const level of ["unit", "integration", "journeys"]) {
    expect(
      billing.some((file) => file.startsWith(`test/${level}/billing/`)),
      level,
    ).toBe(true);
  }
  expect(billing.every((file) => featureOf(file) === "billing")).toBe(true);
  expect(filesOfFeature("import-rules", files)).toEqual(["test/unit/house/import-rules.test.ts"]);
  expect(filesOfFeature("no-such-thing", files)).toEqual([]);
});

test("a change reaches the tests that import it by way of others, and those of the features that meet it from outside", () => {
  const reached = reachedBy("app/features/billing/mails/occasion.ts");
  expect(reached).toContain("test/unit/billing/plan-change/plan-mails.test.ts");
  expect(reached).toContain("test/integration/billing/plan-change/plan-mails.test.ts");
  expect(reached.filter((file) => featureOf(file) === "google")).toEqual([]);
  expect(reached.length).toBeLessThan(files.length / 2);
});

test("a change of what everything stands on reaches every test, and so does a file of an unknown kind", () => {
  expect(reachedBy("app/platform/log/log.ts")).toEqual(files);
  expect(reachedBy("package-lock.json")).toEqual(files);
  expect(reachedBy("supabase/config.toml")).toEqual(files);
  // No import leads to what builds and starts the sites.
  expect(reachedBy("scripts/vite/page-script.ts")).toEqual(files);
  expect(reachedBy("scripts/lib/site-build.ts")).toEqual(files);
  expect(reachedBy("test/support/run/site-process.ts")).toEqual(files);
});

test("a change of a document reaches the tests of the house", () => {
  const reached = reachedBy("docs/glossary.md");
  expect(reached).toContain("test/unit/house/words.test.ts");
  expect(reached.every((file) => file.startsWith("test/unit/"))).toBe(true);
});

test("every feature and every folder of routes is met by tests that exist", () => {
  const features = new Set(files.map(featureOf));
  const folders = globSync("app/{features,routes}/*/").map((folder) => `${folder}/x`);
  expect(folders.length).toBeGreaterThan(15);
  const unknown = folders.filter((path) =>
    (featuresMeeting(path) ?? []).some((feature) => !features.has(feature)),
  );
  expect(unknown).toEqual([]);
});

test("tests of tools run where what they look at changed, and where nobody knows", () => {
  const fake = "test/integration/fakes/stripe-fake-api.test.ts";
  expect(isDue(fake, [])).toBe(false);
  expect(isDue(fake, ["app/root.tsx"])).toBe(false);
  expect(isDue(fake, ["fakes/stripe/control.ts"])).toBe(true);
  expect(isDue(fake, [fake])).toBe(true);
  expect(isDue(fake, undefined)).toBe(true);
  expect(isDue("test/integration/http/page-cache.test.ts", [])).toBe(true);
});

test("the run ends with the sum of each project and the slowest files, the slowest first", () => {
  const file = (project: string, name: string, seconds: number) => ({
    project,
    file: name,
    tests: 2,
    seconds,
  });
  const table = timesTable([
    file("unit", "a", 1),
    file("unit", "b", 2.25),
    file("journeys", "c", 60),
  ]);
  expect(table).toContain("     3.3 s  unit: 4 tests in 2 files");
  expect(table).toMatch(/60\.0 s {2}c\n\s+2\.3 s {2}b\n\s+1\.0 s {2}a$/);
});

test("the last line of a run counts what a filter left out as skipped, and not as failed", () => {
  expect(closingLine(["passed", "passed"], 0)).toBe("2 passed, 0 failed");
  expect(closingLine(["passed", "skipped", "skipped"], 0)).toBe("1 passed, 0 failed, 2 skipped");
  expect(closingLine(["failed", "passed", "skipped"], 1)).toBe("1 passed, 2 failed, 1 skipped");
});
