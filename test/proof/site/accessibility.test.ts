import { expect, test } from "vitest";
import { brokenParts, pressAll, translate } from "../../support/browser/altered-page.ts";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { faultsOnPaper } from "../../support/browser/paper.ts";
import { alarmScreens } from "../../support/screens/alarm-screens.ts";
import { prepareScreens } from "../../support/screens/screens.ts";
import { serverScreens } from "../../support/screens/server-screens.ts";

const screens = prepareScreens();

test.for(screens)(
  "$name: axe finds nothing at three sizes in both themes, nothing is cut off, and nothing breaks where it is translated (C1)",
  async ({ open }) => {
    await using person = await openPage({ theme: "light", viewport: desktop, reducedMotion: true });
    await open(person);
    const { page } = person;
    expect.soft(await faultsOfPage(page)).toEqual([]);
    const before = await brokenParts(page);
    await translate(page);
    await pressAll(page);
    expect(await brokenParts(page)).toBe(before);
  },
);

const names = new Set(
  [...serverScreens(noState), ...alarmScreens(noState)].map(({ name }) => name),
);
const ofServers = screens.filter(({ name }) => names.has(name));

/** The page of a deployment has its servers as one section, and is not made for paper yet. */
const onPaper = ofServers.filter(({ name }) => !name.startsWith("a deployment"));
const withoutScript = ofServers.filter(({ needsScript }) => !needsScript);

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
