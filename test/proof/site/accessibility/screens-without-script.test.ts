import { test } from "vitest";
import { desktop } from "../../../support/browser/axe.ts";
import { openPage } from "../../../support/browser/browser.ts";
import { prepareScreens } from "../../../support/screens/screens.ts";

const withoutScript = prepareScreens("servers").filter(({ needsScript }) => !needsScript);

test.for(withoutScript)("$name: shows the same without script", async ({ open }) => {
  await using person = await openPage({ theme: "light", viewport: desktop, javaScript: false });
  await open(person);
});
