import type { Locator, Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { arriveAtCheckout, buy, chooseGoogleAccount } from "../../support/billing/hosted-pages.ts";
import { openPage } from "../../support/browser/browser.ts";
import { expectServerFiles, unpack } from "../../support/deployments/unpack.ts";
import { newDeployment } from "../../support/deployments/wizard.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

async function seeStep(page: Page, title: string) {
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
}

test("choices made on /services go with a visitor through sign-up and purchase to a zip that a server boots from", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/services");
  const configure = async (service: string, answer: (dialog: Locator) => Promise<unknown>) => {
    const card = page.getByRole("listitem", { name: service, exact: true });
    await card.getByRole("button", { name: "Configure now", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Configure ${service}` });
    await dialog.waitFor();
    await answer(dialog);
    await dialog.getByRole("button", { name: "Configure Service" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await configure("Multi-Cloud Deployment", (dialog) =>
    dialog.getByLabel("Provider").selectOption("Digital Ocean"),
  );
  await configure("Security Configuration", async (dialog) => {
    await dialog.getByLabel("Domain").fill("rtc.mycompany.com");
    await dialog.getByLabel("Email").fill("ops@mycompany.com");
  });

  await page.getByRole("banner").getByRole("link", { name: "Early Access" }).click();
  await page.getByRole("button", { name: "Sign up with Google" }).click();
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await chooseGoogleAccount(page);
  await person.arrive("/signup");
  await page.getByRole("button", { name: "Subscribe Now" }).click();
  await arriveAtCheckout(page);
  await page.getByRole("button", { name: "Pay and subscribe" }).click();
  await person.arrive("/success");
  await page
    .getByRole("button", { name: "Go to Dashboard" })
    .or(page.getByRole("link", { name: "Go to Dashboard" }))
    .click();
  await person.arrive("/dashboard");

  await page.getByRole("link", { name: "Deployments", exact: true }).click();
  await page.getByRole("link", { name: "Describe a deployment" }).click();
  await page.getByText("1 choice from the services page will be filled in.").waitFor();
  await expect.poll(() => page.getByLabel("Domain").inputValue()).toBe("rtc.mycompany.com");
  await expect.poll(() => page.getByLabel("Email").inputValue()).toBe("ops@mycompany.com");
  await page.getByRole("button", { name: "Create deployment" }).click();
  await seeStep(page, "Cloud");
  await expect
    .poll(() => page.getByRole("radio", { name: "Digital Ocean" }).isChecked())
    .toBe(true);
  await page.getByRole("button", { name: "7 Review" }).click();
  await seeStep(page, "Review");
  await page.getByRole("link", { name: "Get the files" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the files" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("rtc.mycompany.com-v1.zip");
  const files = unpack(await download.path());
  expectServerFiles(files);
  expect(files.get("caddy.yaml")).toContain("rtc.mycompany.com");
  expect(files.get("create-vm.sh")).toContain("doctl");

  await person.visit("/services");
  expect(await page.evaluate(() => localStorage.getItem("deploymentDraft"))).toBeNull();
  await page
    .getByRole("listitem", { name: "Easy Management", exact: true })
    .getByRole("button", { name: "Configure now" })
    .click();
  const dialog = page.getByRole("dialog", { name: "Configure Easy Management" });
  await dialog.getByLabel("Update schedule").selectOption("Weekly");
  await dialog.getByRole("button", { name: "Configure Service" }).click();
  await dialog.getByText("Saved into rtc.mycompany.com.").waitFor();
  await dialog.getByRole("link", { name: "Open it" }).click();
  await page.getByRole("region", { name: "Versions" }).getByText("v2").waitFor();
});

test("the keyboard alone answers a step, and a refusal takes it to what is wrong", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  await buy(visitor, "pro");
  const id = await newDeployment(visitor);
  await person.visit(`/dashboard/deployments/${id}/edit?step=protection`);
  await page.getByRole("radio", { name: "Standard" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.getByLabel("Alert address").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("http://not-secure.mycompany.com");
  person.expectProblem(`400 POST ${new URL(page.url()).pathname}.data`);
  await page.keyboard.press("Enter");
  const alert = page.getByRole("alert");
  await alert.waitFor();
  await expect.poll(() => alert.evaluate((each) => each === document.activeElement)).toBe(true);
  await expect.poll(() => page.getByRole("radio", { name: "High" }).isChecked()).toBe(true);
});
