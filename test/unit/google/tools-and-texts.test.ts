import { expect, test } from "vitest";
import texts from "~/content/google-tools.json" with { type: "json" };
import { googleTools } from "~/content/google-tools.ts";

test("the page describes each tool, tab and permission that the Worker knows, and no other", () => {
  const described = texts.map(({ id, scopes, tabs }) => ({
    id,
    scopes,
    tabs: tabs.map((tab) => tab.id),
  }));
  expect(described).toEqual(googleTools);
});
