import { globSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { galleryPage, pictureOf } from "../../gallery/gallery-page.ts";
import { primitives } from "../../gallery/primitives.tsx";

test("the gallery draws every primitive of app/ui/primitives", () => {
  const files = globSync("app/ui/primitives/*.tsx").map((file) => basename(file, ".tsx"));
  expect(Object.keys(primitives).toSorted()).toEqual(files.toSorted());
});

test("the gallery shows each subject by name, and says which picture is missing", () => {
  const subjects = [
    { kind: "Screen" as const, name: "a <menu> on a phone" },
    { kind: "Primitive" as const, name: "button" },
  ];
  const page = galleryPage(subjects, new Set([pictureOf(subjects[1] ?? never(), "dark", 768)]));
  expect(page).toContain("<h2>Screen: a &lt;menu&gt; on a phone</h2>");
  expect(page).toContain('src="primitive-button-dark-768.png"');
  expect(page.split("Not drawn")).toHaveLength(12);
});

function never(): never {
  throw new Error("There are two subjects.");
}
