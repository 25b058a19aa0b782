import { expect, test } from "vitest";
import { desktop } from "../../../support/browser/axe.ts";
import { openPage } from "../../../support/browser/browser.ts";
import { cutOffOnPaper, faultsOnPaper } from "../../../support/browser/paper.ts";
import { prepareScreens } from "../../../support/screens/screens.ts";
import { publicPaths } from "../../../support/site/site-routes.ts";

/** The page of a deployment has its servers as one section, and is not made for paper yet. */
const onPaper = prepareScreens("servers").filter(({ name }) => !name.startsWith("a deployment"));

test.for(onPaper)("$name: is printed black on white and whole", async ({ open }) => {
  await using person = await openPage({ theme: "dark", viewport: desktop, reducedMotion: true });
  await open(person);
  await person.page.emulateMedia({ media: "print" });
  expect(await faultsOnPaper(person.page)).toEqual([]);
});

test.each(publicPaths())("%s is printed whole", async (path) => {
  await using person = await openPage();
  await person.visit(path);
  await person.page.emulateMedia({ media: "print" });
  expect(await cutOffOnPaper(person.page)).toEqual([]);
});
