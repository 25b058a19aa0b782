import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { deploymentDefinition, deploymentMeaning } from "~/content/plan-words";
import architecture from "../../../app/content/architecture.json" with { type: "json" };

const text = (path: string) => readFileSync(path, "utf8");

test.each([
  "app/content/architecture.json",
  "app/content/docs/overview.md",
  "app/content/docs/limits.md",
])("%s says what a deployment is in the words of all pages", (path) => {
  expect(text(path)).toContain(deploymentDefinition);
});

test("the price list says it too, and why servers are counted apart", () => {
  expect(deploymentMeaning).toContain(deploymentDefinition);
  expect(deploymentMeaning).toMatch(/counts .* until you disconnect it/);
});

test.each([
  "app/content/architecture.json",
  "app/content/home.json",
  "app/content/docs/overview.md",
  "app/content/docs/sizing.md",
  "app/content/docs/clusters.md",
  "app/content/docs/several-servers.md",
])("%s calls a deployment no machine and no server", (path) => {
  expect(text(path)).not.toMatch(/a deployment is one\b/i);
});

test("the architecture page tells nobody to share a Redis between deployments", () => {
  const { says, links } = architecture.today;
  expect(says).toContain("do not become one by sharing a Redis");
  expect(says).not.toMatch(/one Redis that all/);
  expect(links.pages.map(({ to }) => to)).toEqual([
    "/docs/larger-machine",
    "/docs/several-servers",
    "/docs/clusters",
  ]);
  expect(text("app/content/docs/clusters.md")).toContain("Give no Redis to two deployments");
});
