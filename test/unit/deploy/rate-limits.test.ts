import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("no two rate limits count together: each has a namespace of its own", () => {
  const settings = readFileSync("wrangler.toml", "utf8");
  const limits = [...settings.matchAll(/^name = "(\w+_LIMIT)"\nnamespace_id = "(\d+)"$/gm)];
  expect(limits.length).toBeGreaterThan(10);
  const names = Map.groupBy(limits, ([, , id]) => id);
  const shared = [...names.values()].filter((each) => each.length > 1);
  expect(shared.map((each) => each.map(([, name]) => name))).toEqual([]);
});
