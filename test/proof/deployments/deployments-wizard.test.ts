import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { buy } from "../../support/billing/hosted-pages.ts";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { newDeployment } from "../../support/deployments/wizard.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const steps = ["Cloud", "Domain", "Network", "Protection", "Media", "Upkeep", "Review"];

async function seeStep(page: Page, title: string) {
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
}

test("signed in without a deployment, an answer on /services goes on to the first one", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.visit("/services?service=management");
  const dialog = page.getByRole("dialog", { name: "Configure Easy Management" });
  await dialog.getByLabel("Update schedule").selectOption("Weekly");
  await dialog.getByRole("button", { name: "Configure Service" }).click();
  await person.arrive("/dashboard/deployments/new");
  await page.getByText("1 choice from the services page will be filled in.").waitFor();
});

test("a step shows what it changes in the files, and a wrong answer is kept and named", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  await buy(visitor, "pro");
  const id = await newDeployment(visitor);
  await person.visit(`/dashboard/deployments/${id}/edit?step=features`);
  await page.getByRole("button", { name: "Preview the files" }).click();
  await page.getByText("No file differs from what is saved.").waitFor();
  await page.getByRole("button", { name: "livekit.yaml", exact: true }).waitFor();
  await page.getByRole("radio", { name: /^RTMP/ }).check();
  const added = page.getByRole("region", { name: "Changes in ingress.yaml" });
  await added.getByText("rtmp_port: 1935").waitFor();

  person.expectProblem(`400 POST ${new URL(page.url()).pathname}.data`);
  await page.getByRole("radio", { name: "S3" }).check();
  const bucket = page.getByLabel("Bucket", { exact: true }).filter({ visible: true });
  await bucket.fill("My Bucket");
  await page.getByLabel("Bucket's region").fill("eu-west-1");
  await page.getByText("A bucket has 3 to 63 small letters").waitFor();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("alert").getByText("Nothing was saved yet.").waitFor();
  await expect.poll(() => bucket.inputValue()).toBe("My Bucket");
  await bucket.fill("my-bucket");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await seeStep(page, "Upkeep");
  await page.getByRole("button", { name: "7 Review" }).click();
  await page.getByText("my-bucket", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Preview the files" }).click();
  await page.getByText(/^\d+ files differ from version 1\.$/).waitFor();
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
  await page
    .getByRole("navigation", { name: "Console" })
    .getByRole("link", { name: "Deployments" })
    .click();
  await page.getByRole("link", { name: "Delete rtc.mycompany.com" }).click();
  await page.getByLabel("Its name, to confirm").fill("rtc.mycompany.com");
  await page.getByRole("button", { name: "Delete it and its versions" }).click();
  await page.getByText("The deployment was deleted. It can be restored below.").waitFor();
});

test("axe finds nothing in the list and the wizard, and a phone holds them", async () => {
  await using person = await openPage({ theme: "light", reducedMotion: true });
  const { page } = person;
  const visitor = await person.signIn();
  await buy(visitor, "basic");
  const id = await newDeployment(visitor);
  const edit = `/dashboard/deployments/${id}/edit?step=`;
  const screens = ["", "/new", `/${id}/delete`].map((path) => `/dashboard/deployments${path}`);
  for (const path of [
    ...screens,
    ...["deployment", "network", "features", "management", "review"].map((s) => edit + s),
  ]) {
    await person.visit(path);
    if (path.endsWith("review")) {
      await page.getByRole("button", { name: "Preview the files" }).click();
      await page.getByRole("region", { name: "Content of livekit.yaml" }).waitFor();
    }
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    expect.soft(await faultsOfPage(page), path).toEqual([]);
  }
});

test("only the chosen place of backups asks where exactly", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  await buy(visitor, "pro");
  const id = await newDeployment(visitor);
  await person.visit(`/dashboard/deployments/${id}/edit?step=management`);
  const places = page.getByRole("group", { name: "Copy backups to" });
  const fieldCount = () => places.getByRole("textbox").count();
  expect(await fieldCount()).toBe(0);
  for (const [place, fields] of [
    ["S3", 4],
    ["GCS", 1],
    ["Azure", 2],
    ["Nowhere", 0],
  ] as const) {
    await places.getByRole("radio", { name: place }).check();
    expect([place, await fieldCount()]).toEqual([place, fields]);
  }
});
