import { expect, test } from "vitest";
import { desktop, violationsOnDesktop } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { prepareScreens } from "../../support/screens/screens.ts";

const screens = prepareScreens();

test.for(screens)("$name: axe finds nothing on a desktop", async ({ open }) => {
  await using person = await openPage({ theme: "light", viewport: desktop, reducedMotion: true });
  await open(person);
  expect(await violationsOnDesktop(person.page)).toEqual([]);
});
