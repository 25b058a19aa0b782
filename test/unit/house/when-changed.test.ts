import { globSync } from "node:fs";
import { expect, test } from "vitest";
import configuration from "../../../vitest.config.ts";
import { importsOf } from "../../support/run/imports.ts";
import { whenChanged } from "../../support/run/when-changed.ts";

const rooms = /^(app|fakes|scripts|test|workers)\//;
const imports = Map.groupBy(importsOf("test/**/*.{ts,tsx}"), ({ file }) => file);

/** What a test imports, and what that imports, up to the first file that is not a test's or its support. */
function reachedFrom(file: string, reached = new Set<string>()): ReadonlySet<string> {
  for (const { source } of imports.get(file) ?? []) {
    if (!rooms.test(source) || reached.has(source)) continue;
    reached.add(source);
    if (source.startsWith("test/")) reachedFrom(source, reached);
  }
  return reached;
}

test.each(whenChanged)("there is each file that $tests stands for and looks at", (row) => {
  for (const glob of [row.tests, ...row.looksAt]) expect(globSync(glob), glob).not.toEqual([]);
});

test.each(whenChanged)(
  "$tests run if a file has changed that they import",
  ({ tests, looksAt }) => {
    const seen = new Set(looksAt.flatMap((glob) => globSync(glob)));
    for (const file of globSync(tests)) {
      const unseen = [...reachedFrom(file)].filter(
        (path) => !path.startsWith("test/") && !seen.has(path),
      );
      expect(unseen, file).toEqual([]);
    }
  },
);

test("the proof runs them all", () => {
  const projects = Object.values(configuration.test?.projects ?? {});
  const proof = projects.flatMap((project) =>
    typeof project === "object" && "test" in project && project.test?.name === "proof"
      ? (project.test.include ?? [])
      : [],
  );
  const inProof = new Set(proof.flatMap((glob) => globSync(glob)));
  const tests = whenChanged.flatMap((row) => globSync(row.tests));
  expect(tests.filter((file) => !inProof.has(file))).toEqual([]);
});
