import { readFile } from "node:fs/promises";
import { beforeEach, expect, test } from "vitest";
import { openAccount, press, turnOnWithCodes } from "../../support/auth/account-page.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { scriptVariants, variants } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const email = "customer.one@example.com";

beforeEach(resetFakes);

const ways = variants(scriptVariants);

async function openCodePage(person: OpenPage): Promise<void> {
  await person.signIn(email);
  await person.visit("/dashboard/account/code");
}

test.each(ways())(
  "$script: recovery codes are shown, kept in a file, and one lets in without the phone",
  async ({ javaScript }) => {
    await using owner = await openPage({ javaScript });
    await openAccount(owner, email);
    const { codes } = await turnOnWithCodes(owner.page);
    expect(codes).toHaveLength(10);
    const begun = owner.page.waitForEvent("download");
    await owner.page.getByRole("link", { name: "Download as a text file" }).click();
    const download = await begun;
    expect(download.suggestedFilename()).toBe("livekit-deploy-recovery-codes.txt");
    const file = await readFile(await download.path(), "utf8");
    for (const code of codes) expect(file).toContain(`${code}\n`);
    await owner.page.getByRole("link", { name: "I have kept them" }).click();
    await owner.page.getByText("10 of 10 are left.").waitFor();
    // A private page asks by itself whether its session lives.
    await owner.visit("/docs");

    await using person = await openPage({ javaScript });
    const { page } = person;
    await openCodePage(person);
    person.expectProblem("400 POST /dashboard/account/code");
    await page.getByText("Lost your device? Use a recovery code").click();
    await page.getByLabel("Recovery code").fill("1AB1-CDEF-GHJK-MNPQ-RSTV-WXYZ");
    await press(page, "Remove my second factor");
    await page.getByRole("alert").getByText("This recovery code is wrong").waitFor();
    await page.getByLabel("Recovery code").fill(codes[7]?.toLowerCase() ?? "");
    await press(page, "Remove my second factor");
    await person.arrive("/dashboard/account");
    await page.getByRole("status").getByText("Set up a new second factor now.").waitFor();
    await page.getByText("Not set up.").waitFor();
    await owner.visit("/dashboard/account");
    await owner.arrive("/signin");
  },
);

test.each(ways())("$script: one device of the list is signed out", async ({ javaScript }) => {
  await using lost = await openPage({ javaScript });
  await lost.signIn(email);
  await using person = await openPage({ javaScript });
  const { page } = person;
  await openAccount(person, email);
  const devices = page.getByRole("region", { name: "Devices" });
  expect(await devices.getByRole("listitem").count()).toBe(2);
  await devices.getByRole("button", { name: "Sign out this one" }).click();
  await page.getByRole("status").getByText("That device is signed out.").waitFor();
  await devices.getByRole("button", { name: "Sign out this one" }).waitFor({ state: "detached" });
  expect(await devices.getByRole("listitem").count()).toBe(1);
  await lost.visit("/dashboard/account");
  await lost.arrive("/signin");
});
