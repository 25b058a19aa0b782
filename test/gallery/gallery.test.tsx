import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "playwright-core";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterAll, beforeAll, test } from "vitest";
import { openPage } from "../support/browser/browser.ts";
import { prepareScreens } from "../support/screens/screens.ts";
import { siteUrl } from "../support/site/own-site.ts";
import { galleryPage, pictureOf, type Subject, themes, widths } from "./gallery-page.ts";
import { primitives } from "./primitives.tsx";

const folder = resolve(".local/gallery");
const screens = prepareScreens();
const drawn = new Set<string>();
const subjects: Subject[] = [
  ...Object.keys(primitives).map((name) => ({ kind: "Primitive" as const, name })),
  ...screens.map(({ name }) => ({ kind: "Screen" as const, name })),
];

/** A subject that takes longer is missing in the page, and the command fails. */
const eachMs = 60_000;

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
});

afterAll(() => {
  const page = resolve(folder, "index.html");
  writeFileSync(page, galleryPage(subjects, drawn));
  process.stdout.write(`\nThe gallery is in ${page}\n`);
});

test.for(Object.entries(primitives))("primitive %s", { timeout: eachMs }, async ([name, shown]) => {
  await using person = await openPage({ reducedMotion: true });
  const home = await (await fetch(siteUrl)).text();
  const [style = ""] = home.match(/<link rel="stylesheet"[^>]*>/) ?? [];
  // A form of React Router wants to know of routes.
  const router = createMemoryRouter([{ path: "/", element: shown }]);
  const markup = renderToStaticMarkup(<RouterProvider router={router} />);
  await person.page.route(`${siteUrl}/primitive`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en" class="js"><title>${name}</title>${style}<body><main class="p-6">${markup}</main></body></html>`,
    }),
  );
  await person.page.goto(`${siteUrl}/primitive`);
  await draw(person.page, { kind: "Primitive", name });
});

test.for(screens)("screen $name", { timeout: eachMs }, async ({ name, open }) => {
  await using person = await openPage({ theme: "light", reducedMotion: true });
  await open(person);
  await draw(person.page, { kind: "Screen", name });
});

async function draw(page: Page, subject: Subject): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  for (const theme of themes) {
    // The stored theme does no more than set this class.
    await page.evaluate((on) => {
      document.documentElement.classList.toggle("dark", on);
    }, theme === "dark");
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const file = pictureOf(subject, theme, width);
      await page.screenshot({
        path: resolve(folder, file),
        fullPage: true,
        animations: "disabled",
      });
      drawn.add(file);
    }
  }
}
