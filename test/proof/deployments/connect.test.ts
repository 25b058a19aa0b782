import { beforeEach, expect, test } from "vitest";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { sampleCode } from "../../support/documentation/samples.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const email = "customer.one@example.com";

beforeEach(resetFakes);

async function connectPage(): Promise<string> {
  return `/dashboard/deployments/${await storeDeployment(email, fullOptions())}/connect`;
}

test("one press copies the code of the chosen platform, with the own address in it", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.signIn(email);
  await person.visit(await connectPage());
  await page.getByRole("tab", { name: "Node" }).press("ArrowRight");
  await page.getByRole("tab", { name: "Python", selected: true }).waitFor();
  await page.getByRole("tab", { name: "Swift" }).click();
  await page.getByRole("button", { name: "Copy FirstCall.swift" }).click();
  await page.getByRole("status").getByText("Copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const sample = sampleCode("connect", "FirstCall.swift").trimEnd();
  expect(copied).toBe(sample.replace("livekit.example.com", "media.example.com"));
  await page.getByRole("button", { name: "Copy livekit_token.py" }).waitFor();
});

test("without JavaScript the tabs are links, and the choice is remembered", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.signIn(email);
  const address = await connectPage();
  await person.visit(address);
  await page.getByRole("tab", { name: "Ruby" }).click();
  await page.getByText("livekit_token.rb").waitFor();
  await person.visit(address);
  await page.getByText("livekit_token.rb").waitFor();
});

test.each(["light", "dark"] as const)(
  "axe finds nothing at Connect your app, and it fits, in the %s theme",
  async (theme) => {
    await using person = await openPage({ theme, reducedMotion: true });
    await person.signIn(email);
    await person.visit(await connectPage());
    expect(await faultsOfPage(person.page)).toEqual([]);
  },
);
