import { beforeEach, expect, test } from "vitest";
import { press } from "../../support/auth/account-page.ts";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { scriptVariants, variants } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { connectedWorkspace } from "../../support/workspaces/single-sign-on.ts";
import { newWorkspace } from "../../support/workspaces/workspaces.ts";

const owner = "customer.one@example.com";
const ways = variants(scriptVariants);

beforeEach(resetFakes);

test.each(ways())(
  "$script: somebody signs in with SSO, from the sign-in page to the console",
  async ({ javaScript }) => {
    await using founder = await openPage({ javaScript });
    await founder.signIn(owner);
    await connectedWorkspace(owner, "okapi-team", ["okapi.example"]);
    await using person = await openPage({ javaScript });
    const { page } = person;
    await person.visit("/signin");
    await page.getByRole("link", { name: "Sign in with SSO" }).click();
    await person.arrive("/signin/sso");
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
    person.expectProblem(javaScript ? "404 POST /signin/sso.data" : "404 POST /signin/sso");
    await page.getByLabel("Work e-mail address").fill("ada@other.example");
    await page.keyboard.press("Enter");
    await page.getByText("No organisation signs in here").waitFor();
    await page.getByLabel("Work e-mail address").fill("ada@okapi.example");
    await page.keyboard.press("Enter");
    if (!javaScript) await page.getByRole("link", { name: "Continue at 127.0.0.1" }).click();
    await page.getByLabel("E-mail address", { exact: true }).fill("ada@okapi.example");
    await press(page, "Sign in");
    await person.arrive("/dashboard");
  },
);

test("an owner verifies a domain in the settings, and requires single sign-on", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn(owner);
  const team = await newWorkspace(owner, "okapi-team");
  await runSql("insert into public.sso_connections (workspace_id) values ($1)", [team.id]);
  await person.visit("/dashboard/w/okapi-team/settings");
  await page.getByLabel("Domain of your people's addresses").fill("okapi.example");
  await press(page, "Add the domain");
  await page.getByText("_livekit-deploy.okapi.example").waitFor();
  expect(await faultsOfPage(page)).toEqual([]);
  person.expectProblem("409 POST /dashboard/w/okapi-team/settings.data");
  await press(page, "Check okapi.example");
  await page.getByText("The record is not there yet").waitFor();
  await runSql("update public.sso_domains set verified_at = now()");
  await runSql("update public.sso_connections set provider = $1", [`sso:${crypto.randomUUID()}`]);
  await person.visit("/dashboard/w/okapi-team/settings");
  await press(page, "Require single sign-on");
  await page.getByText("No member is concerned by it now.").waitFor();
  expect(await faultsOfPage(page)).toEqual([]);
  await press(page, "Require single sign-on now");
  await page.getByText("come in by it alone").waitFor();
  expect(await faultsOfPage(page)).toEqual([]);
});
