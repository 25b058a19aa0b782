import { readFileSync } from "node:fs";
import { minify, transformWithOxc } from "vite";
import { expect, test } from "vitest";
import { sampleCode } from "../../../support/documentation/samples.ts";

const path = "packages/call-evidence/call-evidence.ts";

test("the script for customers' apps is the documented one", () => {
  expect(sampleCode("call-evidence", "call-evidence.ts")).toBe(readFileSync(path, "utf8"));
});

test("it has at most 2 kB in an app, before that is packed", async () => {
  const { code } = await transformWithOxc(readFileSync(path, "utf8"), path);
  const small = await minify("call-evidence.js", code);
  expect(small.code.length).toBeGreaterThan(1_000);
  expect(small.code.length).toBeLessThanOrEqual(2_048);
});
