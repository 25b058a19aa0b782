import { expect, test } from "vitest";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { faultsOnPaper } from "../../support/browser/paper.ts";
import { prepareScreens } from "../../support/screens/screens.ts";
import { serverScreens } from "../../support/screens/server-screens.ts";

const screens = prepareScreens();

test.for(screens)(
  "$name: axe finds nothing at three sizes in both themes, and nothing is cut off",
  async ({ open }) => {
    await using person = await openPage({ theme: "light", viewport: desktop, reducedMotion: true });
    await open(person);
    expect(await faultsOfPage(person.page)).toEqual([]);
  },
);

const names = new Set(serverScreens(noState).map(({ name }) => name));
const ofServers = screens.filter(({ name }) => names.has(name));

/** The page of a deployment has its servers as one section, and is not made for paper yet. */
const onPaper = ofServers.filter(({ name }) => !name.startsWith("a deployment"));
/** Pressed with script on its screen; test/proof/servers/notifications/alerts.test.ts adds one without. */
const withoutScript = ofServers.filter(({ name }) => !name.includes("secret of a new webhook"));

test.for(onPaper)("$name: is printed black on white and whole", async ({ open }) => {
  await using person = await openPage({ theme: "dark", viewport: desktop, reducedMotion: true });
  await open(person);
  await person.page.emulateMedia({ media: "print" });
  expect(await faultsOnPaper(person.page)).toEqual([]);
});

test.for(withoutScript)("$name: shows the same without script", async ({ open }) => {
  await using person = await openPage({ theme: "light", viewport: desktop, javaScript: false });
  await open(person);
});

function noState(): never {
  throw new Error("A screen is only named here");
}
