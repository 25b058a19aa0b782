import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";

const names = z.array(z.string()).min(1);

/** The settings that we use, and nothing else: a misspelt one would be ignored in silence. */
const settings = z.strictObject({
  $schema: z.literal("https://docs.renovatebot.com/renovate-schema.json"),
  description: z.string(),
  extends: names,
  timezone: z.string(),
  schedule: names,
  minimumReleaseAge: z.string().regex(/^\d+ days$/),
  rangeStrategy: z.literal("pin"),
  dependencyDashboard: z.boolean(),
  prConcurrentLimit: z.int(),
  labels: names,
  osvVulnerabilityAlerts: z.boolean(),
  vulnerabilityAlerts: z.strictObject({
    description: z.string(),
    schedule: names,
    minimumReleaseAge: z.null(),
    prConcurrentLimit: z.int(),
    labels: names,
  }),
  lockFileMaintenance: z.strictObject({ enabled: z.boolean(), schedule: names }),
  packageRules: z.array(
    z.strictObject({
      groupName: z.string(),
      description: z.string().optional(),
      matchPackageNames: names.optional(),
      matchManagers: names.optional(),
      allowedVersions: z.string().optional(),
    }),
  ),
});

const renovate = settings.parse(JSON.parse(readFileSync("renovate.json", "utf8")));
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });

const matches = (pattern: string, name: string) =>
  pattern.endsWith("/**") ? name.startsWith(pattern.slice(0, -2)) : name === pattern;

function groupOf(name: string): string | undefined {
  return renovate.packageRules.findLast((rule) =>
    rule.matchPackageNames?.some((pattern) => matches(pattern, name)),
  )?.groupName;
}

test("each rule of Renovate is for a package that we have", () => {
  const patterns = renovate.packageRules.flatMap(({ matchPackageNames = [] }) => matchPackageNames);
  expect(patterns.filter((pattern) => !packages.some((name) => matches(pattern, name)))).toEqual(
    [],
  );
});

test("packages that must fit each other are updated in one pull request", () => {
  expect(groupOf("react-dom")).toBe("React");
  expect(groupOf("@react-router/dev")).toBe("React Router");
  expect(groupOf("@cloudflare/vite-plugin")).toBe("Cloudflare");
  expect(groupOf("@supabase/lite")).toBe("Supabase");
  expect(groupOf("@stripe/stripe-js")).toBe("Stripe");
  expect(groupOf("vitest")).toBe("Test tools");
  expect(groupOf("@types/node")).toBe("Node");
});

test("an update that mends a weakness waits for no day, no age and no free place", () => {
  expect(renovate.vulnerabilityAlerts).toMatchObject({
    schedule: ["at any time"],
    minimumReleaseAge: null,
    prConcurrentLimit: 0,
  });
});
