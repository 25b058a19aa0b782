import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import {
  largeScale,
  type PicturedScreenName,
  pictureDensities,
  picturedScreens,
  pictureWidths,
} from "../../../../app/features/marketing/pictures/pictured-screens.ts";
import { exampleVariables } from "../../../../fakes/dev-vars.ts";
import { encode } from "../../../../scripts/images/encode.ts";
import { openPage } from "../../../support/browser/browser.ts";
import {
  type PicturedConsole,
  preparePicturedConsole,
} from "../../../support/screens/pictured-console.ts";
import { enterAs } from "../../../support/screens/screen.ts";
import { portBase, siteUrl } from "../../../support/site/own-site.ts";
import {
  pictureFile,
  pictureFormats,
  recordFile,
  recordOf,
} from "../../../support/site/picture-record.ts";
import { outlineOf, showTheme } from "../../../support/site/screen-outline.ts";

/** Set by `npm run pictures`: the pictures and their records are written instead of compared. */
const isDrawing = process.env.DRAW_PICTURES !== undefined;

let pictured: PicturedConsole;

beforeAll(async () => {
  pictured = await preparePicturedConsole(
    exampleVariables({ siteUrl, portBase }).SERVERS_URL ?? "",
  );
});

const screens = Object.keys(picturedScreens) as PicturedScreenName[];

test.for(screens.flatMap((name) => pictureWidths.map((width) => [name, width] as const)))(
  "the picture of the console's %s, %s, is what the console shows",
  async ([name, size]) => {
    const { path, from } = pictured.pages[name];
    const [width, height] = picturedScreens[name][size];
    const scale = isDrawing ? largeScale(picturedScreens[name][size]) : 1;
    const options = { reducedMotion: true, timeZone: "UTC", scale } as const;
    await using person = await openPage({ ...options, viewport: { width, height } });
    const { page } = person;
    await pictured.fleet.refresh();
    await enterAs(person, pictured.person);
    // A fleet whose clock stands still may take a page's ticket for one that has ended.
    person.allowProblem("WebSocket connection to");
    // A font that arrives late is left out: at the second visit it is there at once.
    for (const _ of [1, 2]) await person.visit(path);
    await page.getByText("Connecting…").waitFor({ state: "hidden" });
    const heading = page.getByRole("heading", { name: from ?? "Overview", exact: true }).first();
    const { y = 0 } = (await heading.boundingBox()) ?? {};
    const part = { top: from ? Math.round(y - 14) : 0, height };
    const outline = await outlineOf(page, part);
    if (isDrawing) {
      for (const theme of ["light", "dark"] as const) {
        await showTheme(page, theme);
        const clip = { x: 0, y: part.top, width, height };
        const png = await page.screenshot({ fullPage: true, clip, animations: "disabled" });
        const encoded = encode(png, width);
        for (const density of pictureDensities) {
          for (const format of pictureFormats) {
            const file = pictureFile(name, size, theme, density, format);
            writeFileSync(file, encoded[density][format]);
          }
        }
      }
      writeFileSync(recordFile(name, size), recordOf(name, size, outline));
    }
    const [, recorded = ""] = readFileSync(recordFile(name, size), "utf8").split("\n\n");
    expect(outline, "npm run pictures draws it anew").toEqual(recorded.trimEnd().split("\n"));
  },
);
