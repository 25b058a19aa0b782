import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stories } from "../../../app/content/stories.ts";

const folder = "app/content/stories";

test("every story has its scene, and there is no other", () => {
  const scenes = readdirSync(folder).map((file) => file.replace(/\.svg$/, ""));
  expect(scenes.toSorted()).toEqual(stories.map(({ id }) => id).toSorted());
});

test.for(readdirSync(folder))("%s has the site's colours and weighs little", (file) => {
  const drawing = readFileSync(`${folder}/${file}`, "utf8");
  const colours = readFileSync("app/theme.css", "utf8");
  const tokens = [...drawing.matchAll(/^ *(--[a-z-]+: .*;)$/gm)].map(([, token = ""]) => token);
  expect(tokens.length).toBeGreaterThan(5);
  for (const token of tokens) expect(colours).toContain(token);
  expect(drawing.length).toBeLessThan(8_000);
});
