import { beforeEach, expect, test } from "vitest";
import { buy } from "../../support/billing/hosted-pages.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { database } from "../../support/database/database.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const domain = "live.mycompany.com";

beforeEach(resetFakes);

async function customerAtOverview(person: OpenPage): Promise<void> {
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard");
}

test.each([{ javaScript: true }, { javaScript: false }])(
  "a customer who has just paid describes a server with three answers and sees what is next, with script: $javaScript",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await customerAtOverview(person);
    await page.getByRole("heading", { name: "Your first server" }).waitFor();
    await page.getByText("about 20 min · 0 of 5").waitFor();
    await page.getByText("You need: a domain, a cloud login, its CLI, an SSH key.").waitFor();
    await page.getByRole("link", { name: "Upgrade to Pro" }).waitFor();
    await page.getByRole("link", { name: "Invoices" }).waitFor();
    person.expectProblem(`400 POST /dashboard${javaScript ? ".data" : ""}`);
    await page.getByLabel("Domain").fill("no domain");
    await page.getByRole("button", { name: "Create with good defaults" }).click();
    await page.getByText("A domain has letters, digits, hyphens and dots only.").waitFor();
    expect(await page.getByLabel("Domain").inputValue()).toBe("no domain");
    await page.getByLabel("Domain").fill(`https://${domain}/`);
    await page.getByLabel("Cloud").selectOption("Hetzner");
    await page.getByLabel("Region").selectOption("EU West");
    if (javaScript) await page.getByText(/^ccx23 · .* a month$/).waitFor();
    await page.getByRole("button", { name: "Create with good defaults" }).click();
    await page.getByText("about 20 min · 1 of 5").waitFor();
    await page.getByText("SSH_KEY=MY_KEY sh create-vm.sh").waitFor();
    const { data } = await database.from("deployments").select("name, options").single();
    expect(data).toMatchObject({
      name: "Production",
      options: {
        domain,
        provider: "hetzner",
        region: "eu-west",
        email: "customer.one@example.com",
      },
    });
  },
);
