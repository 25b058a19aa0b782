import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import {
  largeScale,
  type PicturedScreenName,
  pictureDensities,
  picturedScreens,
  pictureWidths,
} from "../../../app/features/marketing/pictures/pictured-screens.ts";
import {
  pictureFile,
  pictureFormats,
  pictureLines,
  pictureThemes,
  recordFile,
} from "../../support/site/picture-record.ts";
import { pictureSize } from "../../support/site/picture-size.ts";

const names = Object.keys(picturedScreens) as PicturedScreenName[];
const drawn = names.flatMap((name) => pictureWidths.map((width) => [name, width] as const));
const files = drawn.flatMap(([name, width]) =>
  pictureThemes.flatMap((theme) =>
    pictureDensities.flatMap((density) =>
      pictureFormats.map((format) => ({
        ...{ name, width, density, format },
        file: pictureFile(name, width, theme, density, format),
      })),
    ),
  ),
);

/** With the page around the first of them the home page has at most 150 kB. WebP takes more for the same picture. */
const maxBytes = { avif: 60_000, webp: 90_000 };

test("each pictured screen is there in both themes, widths and densities, as AVIF with a fallback, and nothing else (2)", () => {
  const there = globSync("app/features/marketing/pictures/*.{avif,webp}").map((path) =>
    basename(path),
  );
  expect(there.toSorted()).toEqual(files.map(({ file }) => basename(file)).toSorted());
});

test("each picture has the shape that its page keeps free for it, and is small", () => {
  for (const { name, width, density, format, file } of files) {
    const bytes = readFileSync(file);
    const [across, down] = pictureSize(bytes);
    const [wide, high] = picturedScreens[name][width];
    const scale = density === "large" ? largeScale(picturedScreens[name][width]) : 1;
    expect([across, down], file).toEqual([wide * scale, high * scale]);
    expect(bytes.length, file).toBeLessThan(maxBytes[format]);
  }
});

test.each(drawn)("the record of %s, %s, is of these very pictures", (name, width) => {
  const [pictures = "", outline = ""] = readFileSync(recordFile(name, width), "utf8").split("\n\n");
  expect(pictures.split("\n"), "npm run pictures draws them anew").toEqual(
    pictureLines(name, width),
  );
  expect(outline.split("\n").length).toBeGreaterThan(10);
});

test("each pictured screen says in words what it shows", () => {
  for (const { alt } of Object.values(picturedScreens)) expect(alt.length).toBeGreaterThan(60);
});
