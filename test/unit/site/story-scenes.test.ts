import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import texts from "../../../app/content/stories.json" with { type: "json" };
import { storyIds } from "../../../app/content/stories.ts";

const folder = "app/content/stories";

test("every story has its scene, and there is no other", () => {
  const scenes = readdirSync(folder).map((file) => file.replace(/\.svg$/, ""));
  expect(scenes.toSorted()).toEqual([...storyIds].toSorted());
});

test("every story that an address may name is there, in the order of the page", () => {
  expect(texts.stories.map(({ id }) => id)).toEqual(storyIds);
});

test.for(readdirSync(folder))("%s has the site's colours and weighs little", (file) => {
  const drawing = readFileSync(`${folder}/${file}`, "utf8");
  const colours = readFileSync("app/theme.css", "utf8");
  const tokens = [...drawing.matchAll(/^ *(--[a-z-]+: .*;)$/gm)].map(([, token = ""]) => token);
  expect(tokens.length).toBeGreaterThan(5);
  for (const token of tokens) expect(colours).toContain(token);
  expect(drawing.length).toBeLessThan(8_000);
});
