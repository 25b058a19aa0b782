import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { buy } from "../../support/billing/hosted-pages.ts";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import {
  fullOptions,
  storeDeployment,
  storedDeployment,
} from "../../support/deployments/deployments.ts";
import { newDeployment } from "../../support/deployments/wizard.ts";
import { scriptVariants, variants } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";

test("Enter in a field of a step with locked choices saves it, and leads to no plan", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  await buy(visitor, "basic");
  const id = await newDeployment(visitor);
  await person.visit(`/dashboard/deployments/${id}/edit?step=domain`);
  await page.getByRole("button", { name: "Change to Pro" }).waitFor();
  await page.getByLabel("Domain", { exact: true }).fill("new.mycompany.com");
  await page.getByLabel("Domain", { exact: true }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Network", exact: true }).waitFor();
  expect((await storedDeployment(id)).options).toMatchObject({ domain: "new.mycompany.com" });
});

/** Looks at the change and confirms it, then goes on where the person was. */
async function changeToPro(page: Page) {
  await page.getByRole("heading", { level: 2, name: "Change to Pro" }).waitFor();
  await page.getByRole("button", { name: /^Pay \$[\d.,]+ and change to Pro now$/ }).click();
  await page.getByText("Done. You have Pro now.").waitFor();
  await page.getByRole("link", { name: "Go on where you were" }).click();
}

const scripts = variants(scriptVariants);

test.each(scripts())(
  "what only Pro has is chosen before paying, with its price, and is there after the way to Pro and back, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    const visitor = await person.signIn();
    await buy(visitor, "basic");
    const id = await newDeployment(visitor);
    const path = `/dashboard/deployments/${id}/edit?step=domain`;
    await (javaScript ? person.visit(path) : page.goto(path));
    const domain = page.getByLabel("Domain", { exact: true });
    const further = page.getByLabel("Further domains");
    await page
      .getByText("Part of Pro. Change to Pro for $999.99/year: what you choose here is kept")
      .waitFor();
    await domain.fill("new.mycompany.com");
    await further.fill("two.mycompany.com");
    await page.getByRole("button", { name: "Change to Pro" }).click();
    await changeToPro(page);

    await page.getByText("You have unsaved changes in Domain.").waitFor();
    expect(await domain.inputValue()).toBe("new.mycompany.com");
    expect(await further.inputValue()).toBe("two.mycompany.com");
    await page.getByRole("button", { name: "Save and continue" }).click();
    await page.getByRole("heading", { level: 1, name: "Network", exact: true }).waitFor();
    expect((await storedDeployment(id)).options).toMatchObject({
      domain: "new.mycompany.com",
      extraDomains: ["two.mycompany.com"],
    });
  },
);

test.each(scripts())(
  "a second deployment that Basic has no room for is made after the change to Pro, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    const visitor = await person.signIn();
    await buy(visitor, "basic");
    const path = "/dashboard/deployments/new";
    await (javaScript ? person.visit(path) : page.goto(path));
    await page.getByLabel("Domain", { exact: true }).fill("two.mycompany.com");
    await page.getByLabel("Email", { exact: true }).fill("ops@mycompany.com");
    // Meanwhile the only place was taken in another window.
    await newDeployment(visitor);
    person.expectProblem(`403 POST /dashboard/deployments/new${javaScript ? ".data" : ""}`);
    await page.getByRole("button", { name: "Create deployment" }).click();
    await page.getByText("Basic has one deployment, and you have it.").waitFor();
    await page.getByRole("button", { name: "Change to Pro" }).click();
    await changeToPro(page);

    const domain = page.getByLabel("Domain", { exact: true });
    await expect.poll(() => domain.inputValue()).toBe("two.mycompany.com");
    await page.getByRole("button", { name: "Create deployment" }).click();
    await page.getByRole("heading", { level: 1, name: "Cloud", exact: true }).waitFor();
  },
);

test("axe finds nothing where deployments are read-only, and a phone holds them", async () => {
  await using person = await openPage({ theme: "light", reducedMotion: true });
  const { page } = person;
  await buy(await person.signIn(email), "basic");
  await storeDeployment(email, fullOptions(), "First");
  const second = await storeDeployment(email, fullOptions(), "Second");
  const here = `/dashboard/deployments/${second}`;
  for (const path of ["/dashboard/deployments", here, `${here}/edit`, `${here}/versions`]) {
    await person.visit(path);
    await page.getByText("that is First").waitFor();
    expect.soft(await faultsOfPage(page), path).toEqual([]);
  }
});
