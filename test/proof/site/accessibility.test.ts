import { expect, test } from "vitest";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { prepareScreens } from "../../support/screens/screens.ts";

const screens = prepareScreens();

test.for(screens)("$name: axe finds nothing, and it fits a phone", async ({ open }) => {
  await using person = await openPage({ theme: "light", viewport: desktop, reducedMotion: true });
  await open(person);
  expect(await faultsOfPage(person.page)).toEqual([]);
});
