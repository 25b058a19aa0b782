import { expect, test } from "vitest";
import { desktop, faultsInEveryLook } from "../fixtures/axe.ts";
import { openPage } from "../fixtures/browser.ts";
import { prepareScreens } from "../fixtures/screens.ts";

const screens = prepareScreens();

test.for(screens)("$name: axe finds nothing, and it fits a phone", async ({ open }) => {
  await using person = await openPage({ theme: "light", viewport: desktop, reducedMotion: true });
  await open(person);
  expect(await faultsInEveryLook(person.page)).toEqual([]);
});
