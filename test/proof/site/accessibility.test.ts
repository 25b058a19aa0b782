import { expect, test } from "vitest";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { prepareScreens } from "../../support/screens/screens.ts";

const screens = prepareScreens();

test.for(screens)(
  "$name: axe finds nothing at three sizes in both themes, and nothing is cut off",
  async ({ open }) => {
    await using person = await openPage({ theme: "light", viewport: desktop, reducedMotion: true });
    await open(person);
    expect(await faultsOfPage(person.page)).toEqual([]);
  },
);
