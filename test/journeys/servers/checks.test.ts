import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { tabTo } from "../../support/browser/tab-to.ts";
import { defaultOptions } from "../../support/deployments/bundle-cases.ts";
import { storeDeployment } from "../../support/deployments/deployments.ts";
import { enrolMachine } from "../../support/servers/connect-server.ts";
import {
  resetFakes,
  steerInternet,
  steerMachine,
  steerServer,
} from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const [domain, address] = ["live.example.com", "198.41.0.4"];
const options = { ...defaultOptions, domain, email: "ops@example.com" };

test("a server is checked from outside by keyboard: before its first boot, and on its own page", async () => {
  await using person = await openPage();
  const { page } = person;
  const owner = await person.signIn();
  await storePlan(email, "basic");
  const path = `/dashboard/deployments/${await storeDeployment(email, options)}`;
  await owner.post(path, { intent: "address", ipv4: address });
  for (const name of [domain, `turn.${domain}`]) await steerInternet({ name, A: [address] });
  await steerMachine(address, { https: "refused" });

  await page.goto(siteUrl + path);
  const section = page.locator("section", { has: page.locator("h2", { hasText: "From outside" }) });
  await tabTo(page, section.getByRole("button", { name: "Check from outside" }));
  await page.keyboard.press("Enter");
  await section.getByText("2 of 6 steps are right.").waitFor();
  expect(await section.getByText("It stands on a step that is not right.").count()).toBe(3);
  expect(await faultsOfPage(page)).toEqual([]);

  const machine = await enrolMachine(owner, path, "i-1");
  const facts = [`domain\t${domain}`, `address\t4\t${address}`];
  await machine.report(1, [...facts, `certificate\tturn.${domain}\t1900000000`]);
  await steerMachine(address, { ice: "refused" });
  await steerServer(domain, "livekit");
  await page.goto(`${siteUrl}/dashboard/servers/${machine.server}`);
  await tabTo(page, page.getByRole("button", { name: "Check now" }));
  await page.keyboard.press("Enter");
  await page.locator("[data-outcome]").getByText("It was checked from outside").waitFor();
  await page.getByText("Port 7881, for calls over TCP").waitFor();
  expect(await page.getByText("Does not work").count()).toBe(1);
  expect(await faultsOfPage(page)).toEqual([]);
});
