import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { freshCode } from "../../support/auth/account.ts";
import { beginSecondFactor, openAccount, press } from "../../support/auth/account-page.ts";
import { arriveAtCheckout, buy } from "../../support/billing/hosted-pages.ts";
import { stripe } from "../../support/billing/stripe-account.ts";
import { violations } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { amount, scriptVariants, testInProof, variants } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const email = "customer.one@example.com";

beforeEach(resetFakes);

const ways = variants(scriptVariants);

test.each(ways())(
  "$script: a second factor is set up, asked for before buying, and removed",
  async ({ javaScript }) => {
    await using owner = await openPage({ javaScript });
    await openAccount(owner, email);
    const secret = await beginSecondFactor(owner.page);
    owner.expectProblem("400 POST /dashboard/account");
    await owner.page.getByLabel("Code from the app").fill("000000");
    await press(owner.page, "Turn it on");
    await owner.page.getByRole("alert").getByText("This code is wrong or too old.").waitFor();
    await owner.page.getByLabel("Code from the app").fill(freshCode(secret));
    await press(owner.page, "Turn it on");
    await owner.page.getByRole("status").getByText("The second factor is on.").waitFor();

    await using person = await openPage({ javaScript });
    const { page } = person;
    await person.signIn(email);
    await person.visit("/pricing");
    await page.getByRole("button", { name: "Get started" }).first().click();
    await person.arrive("/dashboard/account/code");
    await page.getByLabel("Code from the app").fill(freshCode(secret));
    await press(page, "Continue");
    await person.arrive("/pricing");
    await page.getByRole("button", { name: "Get started" }).first().click();
    await arriveAtCheckout(page);

    await person.visit("/dashboard/account");
    await press(page, "Remove Authenticator app");
    await page.getByRole("status").getByText("Removed.").waitFor();
    await page.getByText("Not set up.").waitFor();
  },
);

testInProof.each(ways())(
  "$script: an account is deleted and nothing is left",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await buy(await person.signIn(email), "pro");
    await person.visit("/dashboard/account");
    person.expectProblem("400 POST /dashboard/account");
    await page.getByLabel("Your e-mail address, to confirm").fill("yes");
    await press(page, "Delete my account for good");
    await page.getByRole("alert").getByText(`Type ${email} exactly`).waitFor();
    await page.getByLabel("Your e-mail address, to confirm").fill(email);
    await press(page, "Delete my account for good");
    await person.arrive("/account-deleted");
    await page.getByRole("heading", { name: "Your account is deleted" }).waitFor();
    await page.getByRole("banner").getByRole("link", { name: "Early Access" }).waitFor();
    const { data } = await stripe.subscriptions.list({ status: "all" });
    expect(data.map(({ status }) => status)).toEqual(["canceled"]);
    await person.visit("/dashboard/account");
    await person.arrive("/signin");
  },
);

const themes = amount({ inTest: ["light"], inProof: ["light", "dark"] } as const);

test.each(themes)(
  "by keyboard alone, %s, 320 px: a second factor is set up, without an accessibility fault",
  async (theme) => {
    await using person = await openPage({ theme, viewport: { width: 320, height: 640 } });
    const { page } = person;
    const faults = async () => [...(await violations(page)), ...(await sidewaysScroll(page))];
    await openAccount(person, email);
    await page.getByLabel("New e-mail address").fill(`${"a".repeat(60)}@example.com`);
    await press(page, "Change the address");
    await page.getByText(/^You asked to change/).waitFor();
    await page.getByLabel("Name of the app or phone").focus();
    await page.keyboard.type("My phone");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Set up" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    const text = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent();
    await page.getByLabel("Code from the app").focus();
    // While the page still answers the press before, its buttons rest, and Enter would press nothing.
    const turnOn = page.getByRole("button", { name: "Turn it on" });
    const enter = async (code: string) => {
      await page.getByLabel("Code from the app").fill(code);
      await expect.poll(() => turnOn.isEnabled()).toBe(true);
      await page.keyboard.press("Enter");
    };
    person.expectProblem("400 POST /dashboard/account");
    await enter("1");
    await page.getByRole("alert").waitFor();
    expect(await faults()).toEqual([]);
    await enter(freshCode((text ?? "").replaceAll(" ", "")));
    await page.getByRole("button", { name: "Remove My phone" }).waitFor();
    expect(await faults()).toEqual([]);
  },
);

testInProof.each(themes)("no accessibility fault where a code is asked for, %s", async (theme) => {
  await using person = await openPage({ theme, viewport: { width: 320, height: 640 } });
  await person.signIn(email);
  for (const path of ["/dashboard/account/code", "/account-deleted"]) {
    await person.visit(path);
    expect(await violations(person.page)).toEqual([]);
  }
});

function sidewaysScroll(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`${scrollWidth} in ${clientWidth}`] : [];
  });
}
