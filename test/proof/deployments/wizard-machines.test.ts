import { beforeEach, expect, test } from "vitest";
import { buy } from "../../support/billing/hosted-pages.ts";
import { openPage } from "../../support/browser/browser.ts";
import { newDeployment } from "../../support/deployments/wizard.ts";
import { resetFakes, steerInternet } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

test("another provider shows its own machines, prices and regions at once, and without script those of the saved one", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  await buy(visitor, "basic");
  const id = await newDeployment(visitor);
  const path = `/dashboard/deployments/${id}/edit?step=deployment`;
  await person.visit(path);
  const sizes = page.getByRole("group", { name: "Instance type" });
  await sizes.getByText("c7i.xlarge · 4 vCPU, 8 GB · about $130 a month").waitFor();
  await sizes.getByText("List prices in Virginia on October 9, 2026, without tax").waitFor();
  await page.getByRole("radio", { name: "Hetzner" }).check();
  await sizes.getByText("ccx23 · 4 vCPU, 16 GB · about €86 a month").waitFor();
  const source = sizes.getByRole("link", { name: /^Hetzner's prices/ });
  expect(await source.getAttribute("href")).toBe("https://www.hetzner.com/cloud/");
  await page.getByRole("radio", { name: "EU West Falkenstein (fsn1)" }).waitFor();
  await page.getByText("Unsaved changes, kept for you.").waitFor();

  await using plain = await openPage({ javaScript: false });
  await plain.signIn();
  await plain.visit(path);
  await plain.page.getByText("ccx13 · 2 vCPU, 8 GB · about €43 a month").waitFor();
});

test("a name that already leads somewhere is said to, soon after it is typed", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await steerInternet({ name: "taken.mycompany.com", A: ["198.41.0.4"] });
  await person.visit("/dashboard/deployments/new");
  await page.getByLabel("Domain").fill("https://taken.mycompany.com/");
  await page.getByText("taken.mycompany.com already leads to 198.41.0.4").waitFor();
  await page.getByLabel("Domain").fill("free.mycompany.com");
  await page.getByText("already leads to").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Create deployment" }).click();
  await page.getByRole("heading", { level: 1, name: "Cloud" }).waitFor();
});
