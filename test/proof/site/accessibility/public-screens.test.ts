import { test } from "vitest";
import { openPage } from "../../../support/browser/browser.ts";
import { axeWindow, expectAccessible } from "../../../support/screens/accessible-screen.ts";
import { prepareScreens } from "../../../support/screens/screens.ts";

test.for(prepareScreens("site"))(
  "$name: axe finds nothing at three sizes in both themes, nothing is cut off, and nothing breaks where it is translated (C1)",
  async ({ open }) => {
    await using person = await openPage(axeWindow);
    await open(person);
    await expectAccessible(person.page);
  },
);
