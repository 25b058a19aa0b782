import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { openBrowser } from "../fixtures/browser.ts";
import { buy } from "../fixtures/hosted-pages.ts";
import { resetStandIns } from "../fixtures/stand-ins.ts";
import { newDeployment } from "../fixtures/wizard.ts";

const { openPage } = openBrowser();

beforeEach(resetStandIns);

const steps = ["Cloud", "Domain", "Network", "Protection", "Media", "Upkeep", "Review"];

async function seeStep(page: Page, title: string) {
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
}

test("what was chosen on /services is filled in, and six steps lead to the files", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "pro");
  await person.visit("/");
  await page.evaluate(() =>
    localStorage.setItem(
      "deploymentDraft",
      JSON.stringify({ domain: "rtc.mycompany.com", region: "EU West", recordingStorage: "S3" }),
    ),
  );
  await person.visit("/dashboard/deployments");
  await page.getByRole("link", { name: "Describe a deployment" }).click();
  await page.getByText("2 choices from the services page will be filled in.").waitFor();
  await expect.poll(() => page.getByLabel("Domain").inputValue()).toBe("rtc.mycompany.com");
  await page.getByLabel("Email").fill("ops@mycompany.com");
  await page.getByRole("button", { name: "Create deployment" }).click();
  await seeStep(page, "Cloud");
  await page.getByText("Still to say: the bucket for recordings (step Media).").waitFor();
  await expect.poll(() => page.getByRole("radio", { name: "EU West" }).isChecked()).toBe(true);
  for (const title of steps.slice(1, 5)) {
    await page.getByRole("button", { name: "Save and continue" }).click();
    await seeStep(page, title);
  }

  person.expectProblem(`400 POST ${new URL(page.url()).pathname}.data`);
  await page.getByRole("radio", { name: "S3" }).check();
  await page.getByLabel("Bucket", { exact: true }).fill("My Bucket");
  await page.getByLabel("Bucket's region").fill("eu-west-1");
  await page.getByText("A bucket has 3 to 63 small letters").waitFor();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("alert").getByText("Nothing was saved yet.").waitFor();
  await expect
    .poll(() => page.getByLabel("Bucket", { exact: true }).inputValue())
    .toBe("My Bucket");
  await page.getByLabel("Bucket", { exact: true }).fill("my-bucket");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await seeStep(page, "Upkeep");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await seeStep(page, "Review");
  await page.getByText("my-bucket", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Get the files" }).click();
  await page.getByRole("heading", { level: 1, name: "Production" }).waitFor();
});

test("without JavaScript every step is saved, and a refused one keeps what was typed", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard/deployments/new");
  await page.getByLabel("Domain").fill("a_b.mycompany.com");
  await page.getByLabel("Email").fill("ops@mycompany.com");
  person.expectProblem("400 POST /dashboard/deployments/new");
  await page.getByRole("button", { name: "Create deployment" }).click();
  await page.getByText("A domain here may not have an underscore.").waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe("ops@mycompany.com");
  await page.getByLabel("Domain").fill("rtc.mycompany.com");
  await page.getByRole("button", { name: "Create deployment" }).click();
  for (const title of steps.slice(0, -1)) {
    await seeStep(page, title);
    await page.getByRole("button", { name: "Save and continue" }).click();
  }
  await seeStep(page, "Review");
  await page.getByRole("link", { name: "Change Network" }).click();
  await seeStep(page, "Network");
  await page.getByLabel("Your rules").waitFor({ state: "hidden" });
  await page.getByRole("radio", { name: "Custom" }).check();
  await page.getByLabel("Your rules").waitFor();
  await page.getByRole("link", { name: "Deployments" }).click();
  await page.getByRole("link", { name: "Delete Production" }).click();
  await page.getByRole("button", { name: "Delete it and its versions" }).click();
  await page.getByText("The deployment was deleted, with all its versions.").waitFor();
});

test("the keyboard alone answers a step, and a refusal takes it to what is wrong", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  await buy(visitor, "pro");
  const id = await newDeployment(visitor);
  await person.visit(`/dashboard/deployments/${id}/edit?step=security-advanced`);
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

test("axe finds nothing in the list and the wizard, in both themes, and a phone holds them", async () => {
  await using person = await openPage({ theme: "light", reducedMotion: true });
  const { page } = person;
  const visitor = await person.signIn();
  await buy(visitor, "basic");
  const id = await newDeployment(visitor);
  const edit = `/dashboard/deployments/${id}/edit?step=`;
  const screens = ["", "/new", `/${id}/delete`].map((path) => `/dashboard/deployments${path}`);
  for (const path of [
    ...screens,
    ...["deployment", "server", "features", "review"].map((s) => edit + s),
  ]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await person.visit(path);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    const found = async (rules?: string[]) => {
      const axe = new AxeBuilder({ page }).setLegacyMode(true);
      const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
      return violations.flatMap(({ id: rule, nodes }) =>
        nodes.map(({ target }) => `${path} ${rule} at ${target.join(" ")}`),
      );
    };
    expect.soft(await found()).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect.soft([path, scrollWidth]).toEqual([path, clientWidth]);
    await page.evaluate(() => document.documentElement.classList.add("dark"));
    expect.soft(await found(["color-contrast", "link-in-text-block"])).toEqual([]);
  }
});
