import { globSync } from "node:fs";
import { type Import, importersOf } from "./imports.ts";

/** The levels of `npm test`, each a folder of `test/` with a folder for each feature, and a project of Vitest. */
export const levels = ["unit", "machine", "integration", "journeys"] as const;

/** Levels at which the shipped Worker is tested from outside, so that no import leads to what a test tests. */
const fromOutside = /^test\/(?:machine|integration|journeys)\//;

/** Every test file of `npm test`. */
export function testFiles(): string[] {
  return levels.flatMap((level) => globSync(`test/${level}/**/*.test.{ts,tsx}`)).sort();
}

/** The test files of a feature at all levels; for a name that is no feature's, those with the name in their path. */
export function filesOfFeature(name: string, files: readonly string[]): string[] {
  const inFolder = files.filter((file) => featureOf(file) === name);
  return inFolder.length > 0 ? inFolder : files.filter((file) => file.includes(name));
}

/** The folder right below the level's; the simulated machines are all of deployments. */
export function featureOf(testFile: string): string | undefined {
  if (testFile.startsWith("test/machine/")) return "deployments";
  return /^test\/\w+\/([\w-]+)\//.exec(testFile)?.[1];
}

/**
 * Features whose tests from outside meet what a path holds, by the path's beginning; the first that fits counts. No
 * features: only the tests that import it, and those of the house. Undefined: every test, as for a path that is not here.
 */
const metBy: readonly (readonly [path: string, features: readonly string[] | undefined])[] = [
  ["app/features/deployments/bundle/", ["deployments", "agents"]],
  ["app/features/account/sign-in/", ["auth", "account"]],
  ["app/features/auth/", undefined],
  ["app/features/account/", ["account", "auth", "security"]],
  ["app/features/marketing/", ["site"]],
  ["app/features/mail/", ["billing", "servers", "workspaces"]],
  ["app/routes/api/", ["billing", "agents", "servers", "site"]],
  ["app/routes/blog/", ["site"]],
  ["app/routes/checkout/", ["billing"]],
  ["app/routes/google-services/", ["google"]],
  ["app/routes/marketing/", ["site"]],
  ["app/routes/model-configuration/", ["agents"]],
  ["app/routes/reading/", ["site"]],
  ["app/routes/site-files/", ["site"]],
  ["app/content/", ["site"]],
  ["app/ui/reading/", ["site"]],
  ["workers/page-cache/", ["http", "site"]],
  ["workers/servers/", ["servers", "deployments"]],
  ["public/", ["site"]],
  ["scripts/deploy/", ["deploy"]],
  ["scripts/smoke/", ["deploy"]],
  ["scripts/stripe-setup/", ["deploy"]],
  ["scripts/dev/", ["dev", "servers"]],
  ["scripts/lib/", undefined],
  ["scripts/vite/", undefined],
  ["scripts/", []],
  ["docs/", []],
  ["README.md", []],
  ["CONTRIBUTING.md", []],
  [".github/", []],
  ["test/support/run/", undefined],
  ["test/support/database/", undefined],
  ["test/", []],
];

/** The features whose tests from outside meet a file; undefined for every test. */
export function featuresMeeting(file: string): readonly string[] | undefined {
  const found = metBy.find(([path]) => file.startsWith(path));
  if (found) return found[1];
  const [, feature] = /^app\/(?:features|routes)\/([\w-]+)\//.exec(file) ?? [];
  return feature === undefined ? undefined : [feature];
}

/**
 * Of `files` those that a change can reach: tests that import a changed file, directly or by way of others; tests from
 * outside whose feature meets a file that is changed or imports one; and those of the house.
 */
export function filesReachedBy(
  changed: readonly string[],
  imports: readonly Import[],
  files: readonly string[],
): string[] {
  if (changed.some((file) => featuresMeeting(file) === undefined)) return [...files];
  const reached = importersOf(changed, imports);
  // The Worker and the root of the site import all features, so what they are reached by says nothing of the others.
  const features = new Set([...reached].flatMap((file) => featuresMeeting(file) ?? []));
  return files.filter(
    (file) =>
      reached.has(file) ||
      file.startsWith("test/unit/house/") ||
      (fromOutside.test(file) && features.has(featureOf(file) ?? "")),
  );
}
