import { expect, test } from "vitest";
import { oneTapVariables } from "../../support/auth/one-tap.ts";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";

const site = siteWithFaults(oneTapVariables);

test("Google One Tap stands beside the page, covers nothing, and opens the plan dialog", async () => {
  await using person = await openPage({ siteUrl: site().url });
  const { page } = person;
  await person.visit("/signup");
  const frame = page.frameLocator('iframe[title="Sign in with Google"]');
  await frame.getByText("customer.one@example.com").waitFor();
  const prompt = await page.getByTitle("Sign in with Google").boundingBox();
  for (const name of ["Sign up with Google", "Sign up with e-mail or another account"]) {
    const box = await page.getByText(name, { exact: true }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThan(prompt?.x ?? 0);
  }
  expect(await faultsOfPage(page)).toEqual([]);
  await frame.getByText("customer.one@example.com").click();
  await page.getByRole("dialog", { name: "Choose your plan" }).waitFor();
});

test("on a phone there is no room for it: Google's script is not asked for", async () => {
  const viewport = { width: 320, height: 640 };
  await using person = await openPage({ siteUrl: site().url, viewport });
  const { page } = person;
  await page.clock.install();
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await person.visit("/signup");
  await page.clock.runFor(10_000);
  expect(requested.filter((url) => url.includes("/gsi/"))).toEqual([]);
});
