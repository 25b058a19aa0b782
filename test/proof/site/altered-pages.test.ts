import { beforeAll, expect, test } from "vitest";
import { buy } from "../../support/billing/hosted-pages.ts";
import {
  addNodesBesideFields,
  brokenParts,
  pressAll,
  translate,
} from "../../support/browser/altered-page.ts";
import { openPage } from "../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { enrolMachines } from "../../support/servers/connect-server.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { publicPaths, siteRoutes } from "../../support/site/site-routes.ts";
import { Visitor } from "../../support/site/visitor.ts";

// Each page once in one window. Every state of every screen is translated in accessibility/.

const email = "customer.one@example.com";
const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";

/** The address of a deployment whose server has an incident, and of every page of the console. */
let deployment = "";
let pages: readonly string[] = [];

beforeAll(async () => {
  await resetFakes();
  const owner = new Visitor();
  await owner.signInWithGoogle(email);
  await buy(owner, "pro");
  const id = await storeDeployment(email, fullOptions());
  const [machine] = await enrolMachines(owner, id, 1);
  await machine?.report(1, [critical, "metric\tparticipants\t3"]);
  const list = await (await owner.request("/dashboard/incidents")).text();
  const [, incident = ""] = /href="\/dashboard\/incidents\/([0-9a-f-]{36})"/.exec(list) ?? [];
  deployment = `/dashboard/deployments/${id}`;
  const ids = { deployments: id, servers: machine?.server ?? "", incidents: incident };
  pages = siteRoutes()
    .filter(({ path, file }) => path.startsWith("/dashboard") && file.endsWith(".tsx"))
    .filter(({ path }) => !path.endsWith("*"))
    .map(({ path }) =>
      path.replace(/(deployments|servers|incidents)\/:id/, (_, of: keyof typeof ids) => {
        return `${of}/${ids[of]}`;
      }),
    );
});

test("no page of site or console breaks where the browser translates it and everything is pressed (C1)", async () => {
  await using person = await openPage();
  await person.signIn(email);
  expect(pages.length).toBeGreaterThan(25);
  for (const path of [...publicPaths(), ...new Set(pages)]) {
    await person.visit(path);
    await translate(person.page);
    await pressAll(person.page);
    expect.soft(await brokenParts(person.page), path).toBe(0);
  }
});

test("a text is copied on a page that was translated, and the page stays (C1)", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.signIn(email);
  await person.visit(`${deployment}/connect`);
  await translate(page);
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Copy / })
    .first()
    .click();
  await page.getByRole("status").getByText("Copied").first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).not.toBe("");
});

test("where one part of a page breaks, the rest and the navigation stay (C1)", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.context().grantPermissions(["clipboard-write"]);
  person.expectProblem("NotFoundError");
  await person.signIn(email);
  await person.visit(`${deployment}/connect`);
  const heading = await page.getByRole("heading", { level: 1 }).textContent();
  const copy = page
    .getByRole("main")
    .getByRole("button", { name: /^Copy / })
    .first();
  await copy.evaluate((button) => button.firstElementChild?.remove());
  await copy.click();
  await page.getByText("This part of the page broke in your browser.").waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(heading);
  await page
    .getByRole("navigation", { name: "Console" })
    .getByRole("link", { name: "Alerts" })
    .click();
  await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor();
});

test("nodes of an extension's beside the fields cost no page its theme or what needs script (C2)", async () => {
  await using person = await openPage({ theme: "dark" });
  const { page } = person;
  person.expectProblem("React error #418");
  await person.signIn(email);
  await addNodesBesideFields(page);
  for (const path of new Set(pages)) {
    await person.visit(path);
    const classes = await page.evaluate(() => [...document.documentElement.classList]);
    expect.soft(classes, path).toEqual(expect.arrayContaining(["js", "dark", "signed-in"]));
    const search = page.getByRole("banner").getByRole("button", { name: /^Go to/ });
    expect.soft(await search.isVisible(), path).toBe(true);
    expect.soft(await brokenParts(page), path).toBe(0);
  }
});
