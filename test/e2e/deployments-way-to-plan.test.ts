import { beforeEach, expect, test } from "vitest";
import { openPage } from "../fixtures/browser.ts";
import { storedDeployment } from "../fixtures/deployments.ts";
import { buy } from "../fixtures/hosted-pages.ts";
import { resetStandIns } from "../fixtures/stand-ins.ts";
import { newDeployment } from "../fixtures/wizard.ts";

beforeEach(resetStandIns);

test("Enter in a field of a step with locked choices saves it, and leads to no plan", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  await buy(visitor, "basic");
  const id = await newDeployment(visitor);
  await person.visit(`/dashboard/deployments/${id}/edit?step=security`);
  await page.getByRole("button", { name: "Change to Pro" }).waitFor();
  await page.getByLabel("Domain", { exact: true }).fill("new.mycompany.com");
  await page.getByLabel("Domain", { exact: true }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Network", exact: true }).waitFor();
  expect((await storedDeployment(id)).options).toMatchObject({ domain: "new.mycompany.com" });
});
