import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { brand } from "../../../app/content/chrome.ts";

test("the name of the product is written in one module", () => {
  const writing = globSync("{app,workers,scripts}/**/*.{ts,tsx}")
    .filter((file) => readFileSync(file, "utf8").includes(brand))
    // The files of a deployment import nothing of the site.
    .filter((file) => !file.startsWith("app/features/deployments/bundle/"));
  expect(writing).toEqual(["app/content/chrome.ts"]);
});
