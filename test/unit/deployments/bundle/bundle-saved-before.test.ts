import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import saved from "../../../support/deployments/saved-deployments.json" with { type: "json" };

// Deployments as they were saved before the last release, with the beginning of the SHA-256 of each file that
// the generator made of them then.
const deployments = saved.map(({ name, options, files }) => {
  const parsed = parseOptions(options);
  const made = new Map(
    (parsed.options ? bundle(parsed.options).files : []).map(({ path, content }) => [
      path,
      createHash("sha256").update(content).digest("hex").slice(0, 16),
    ]),
  );
  const before = new Map<string, string>(Object.entries(files));
  const paths = new Set([...before.keys(), ...made.keys()]);
  const changed = [...paths].filter((path) => before.get(path) !== made.get(path)).sort();
  return { name, parsed, changed };
});

test.each(deployments)(
  "a deployment $name, saved before, opens with the same answers",
  ({ name, parsed }) => {
    expect(parsed.problems).toBeUndefined();
    const savedOptions = saved.find((one) => one.name === name)?.options;
    expect(parsed.options).toMatchObject(savedOptions ?? { name: "missing" });
  },
);

test("the changelog of generated files names what differs in the next bundle, and nothing else", () => {
  const [, newest = ""] = readFileSync("docs/generated-files.md", "utf8").split(/^## /m);
  const named = [...newest.matchAll(/^\| `([^`]+)` \|/gm)].map(([, path]) => path).sort();
  const differing = [...new Set(deployments.flatMap(({ changed }) => changed))].sort();
  expect(named).toEqual(differing);
});
