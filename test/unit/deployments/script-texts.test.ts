import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { scriptNames } from "../../../app/features/deployments/bundle/script-texts.ts";

test("every script in the folder is named, and every name has its script", () => {
  const folder = "app/features/deployments/bundle/scripts/";
  const found = globSync(`${folder}**/*.{sh,py,tf}`).map((path) => path.slice(folder.length));
  expect([...scriptNames].sort()).toEqual(found.sort());
});
