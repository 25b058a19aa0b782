import { expect, inject, test } from "vitest";

const { differences, isCustomDescription } = inject("stripe");

test("the pinned version's differences are those of overlay.jsonl, which -u writes anew", async () => {
  expect(differences.length).toBeGreaterThan(0);
  // Of another description than stripe-mock's own there are others.
  if (isCustomDescription) return;
  const lines = differences.map((each) => `${JSON.stringify(each)}\n`);
  await expect(lines.join("")).toMatchFileSnapshot("overlay.jsonl");
});
