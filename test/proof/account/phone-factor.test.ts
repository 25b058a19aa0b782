import { beforeEach, expect, test } from "vitest";
import { openAccount, press } from "../../support/auth/account-page.ts";
import { phone, textedCode } from "../../support/auth/phones.ts";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { scriptVariants, variants } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";

const email = "customer.one@example.com";
const ways = variants(scriptVariants);

beforeEach(resetFakes);

test.each(ways())(
  "$script: a phone is set up as second factor, and given at the next sign-in",
  async ({ javaScript }) => {
    await using owner = await openPage({ javaScript });
    const { page } = owner;
    await openAccount(owner, email);
    owner.expectProblem("400 POST /dashboard/account");
    await page.getByLabel("Phone number").fill("0151 1234567");
    await press(page, "Text me a code");
    await page.getByText("Write the phone number with its country code").waitFor();
    expect(await page.getByLabel("Phone number").inputValue()).toBe("0151 1234567");
    await page.getByLabel("Phone number").fill("+49 151 1234567");
    await press(page, "Text me a code");
    await page.getByText(`We texted a code to ${phone}.`).waitFor();
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
    await page.getByLabel("Code from the text message").fill(await textedCode());
    await press(page, "Turn it on");
    await page.getByText("They are shown only now.").waitFor();

    await runSql("update auth.mfa_factors set last_challenged_at = now() - interval '61 seconds'");
    await using person = await openPage({ javaScript });
    await person.signIn(email);
    await person.visit("/dashboard/account");
    await person.arrive("/dashboard/account/code");
    if (javaScript) expect(await faultsOfPage(person.page)).toEqual([]);
    const ask = person.page.getByRole("button", { name: "Text a code to the number ending in 67" });
    await ask.focus();
    await person.page.keyboard.press("Enter");
    await person.page.getByRole("status").getByText("A code is on its way").waitFor();
    if (javaScript) expect(await faultsOfPage(person.page)).toEqual([]);
    await person.page.getByLabel("Code from the text message").fill(await textedCode());
    await person.page.keyboard.press("Enter");
    await person.arrive("/dashboard/account");
    await person.page.getByText("Remove Phone ending in 67").waitFor();
  },
);
