import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { testInProof } from "../../support/run/variants.ts";

type Locked = {
  optionalDependencies?: Record<string, string>;
};

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const lockfile: Record<string, Locked> = JSON.parse(
  readFileSync("package-lock.json", "utf8"),
).packages;

testInProof("npm finds nothing missing, invalid or extraneous", () => {
  const tree = execFileSync("npm", ["ls", "--all", "--json", "--loglevel=error"], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(JSON.parse(tree).problems ?? []).toEqual([]);
});

test("every dependency has an exact version", () => {
  const versions = Object.entries<string>({
    ...manifest.dependencies,
    ...manifest.devDependencies,
  });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

testInProof("there is one workerd on disk, for wrangler, the Vite plugin and us", () => {
  const installed = Object.keys(
    JSON.parse(readFileSync("node_modules/.package-lock.json", "utf8")).packages,
  ).filter((path) => existsSync(path));
  expect(installed.filter((path) => path.endsWith("node_modules/workerd"))).toHaveLength(1);
  const binaries = installed.filter((path) => path.includes("node_modules/@cloudflare/workerd-"));
  expect(binaries).toHaveLength(1);
});

test("the lockfile holds the packages of every platform", () => {
  const missing = Object.entries(lockfile).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !lockfile[`${path}/node_modules/${name}`] && !lockfile[`node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});

test("no type check is switched off in our own sources", () => {
  // Put together, so that this file does not find itself.
  const directives = ["ignore", "expect-error", "nocheck"].map((word) => `@ts-${word}`).join("|");
  const untyped = new RegExp(
    `${directives}|\\bas any\\b|[:<|&,(]\\s*any\\s*(?=[;,)>\\]=|&}[]|$)`,
    "m",
  );
  const sources = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mts", "*.mjs"], {
    encoding: "utf8",
  })
    .trim()
    .split("\n")
    .filter((file) => existsSync(file));
  expect(sources.length).toBeGreaterThan(1_000);
  expect(sources.filter((file) => untyped.test(readFileSync(file, "utf8")))).toEqual([]);
});
