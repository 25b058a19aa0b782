import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The one place that says which Node the project runs on. */
const version = readFileSync(".node-version", "utf8").trim();
const [major = ""] = version.split(".");
const manifest = JSON.parse(readFileSync("package.json", "utf8"));

test("scripts run on the Node of .node-version, and its types are of the same major version", () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(manifest.devDependencies.node).toBe(version);
  expect(manifest.devDependencies["@types/node"].split(".")[0]).toBe(major);
  expect(process.versions.node).toBe(version);
});

test("every workflow reads its Node from .node-version", () => {
  const steps = globSync(".github/workflows/*.yml").flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(
        /uses: actions\/setup-node@.*\n([\s\S]*?)(?=\n\s+- )/g,
      ),
    ].map(([, settings = ""]) => `${file}: ${/node-version.*/.exec(settings)?.[0]}`),
  );
  expect(steps.length).toBeGreaterThan(4);
  expect(steps.filter((step) => !step.endsWith(": node-version-file: .node-version"))).toEqual([]);
});

test("the devcontainer has the Node of .node-version", () => {
  expect(readFileSync(".devcontainer/Dockerfile", "utf8")).toMatch(
    new RegExp(`^FROM node:${version.replaceAll(".", "\\.")}-bookworm$`, "m"),
  );
});

test("the oldest Node that may start a command is the one of package.json, in the README too", () => {
  const [, oldest] = /^>=(\d+)$/.exec(manifest.engines.node) ?? [];
  const readme = readFileSync("README.md", "utf8");
  expect(readme).toContain(`You need Node ${oldest} or newer`);
  expect(readFileSync("docs/commands.md", "utf8")).toContain(`the scripts run on Node ${major}`);
  expect(readFileSync("scripts/lib/setup.mjs", "utf8")).not.toMatch(/Node \d/);
});
