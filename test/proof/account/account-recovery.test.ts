import { beforeEach, expect, test } from "vitest";
import { openAccount, press, turnOnWithCodes } from "../../support/auth/account-page.ts";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { keyboard } from "../../support/browser/page-actions.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const email = "customer.one@example.com";

beforeEach(resetFakes);

async function openCodePage(person: OpenPage): Promise<void> {
  await person.signIn(email);
  await person.visit("/dashboard/account/code");
}

test("codes that are shown only now are not left without a question", async () => {
  await using person = await openPage();
  const { page } = person;
  await openAccount(person, email);
  await turnOnWithCodes(page);
  const list = page.getByRole("list", { name: "Your recovery codes" });
  const questions: string[] = [];
  let answer = false;
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    return answer ? dialog.accept() : dialog.dismiss();
  });
  await page.getByRole("link", { name: "Deployments" }).first().click();
  await expect.poll(() => questions).toHaveLength(1);
  expect(questions).toEqual(["Your recovery codes are shown only now. Leave without them?"]);
  expect(await list.isVisible()).toBe(true);
  answer = true;
  await page.getByRole("link", { name: "Deployments" }).first().click();
  await person.arrive("/dashboard/deployments");
});

/** Codes that the owner has kept, whose browser is closed: a page that stays open learns that its session has ended. */
async function codesOfOwner(): Promise<string[]> {
  await using owner = await openPage();
  await openAccount(owner, email);
  return (await turnOnWithCodes(owner.page)).codes;
}

test("by keyboard alone: a recovery code is given", async () => {
  const codes = await codesOfOwner();
  await using person = await openPage();
  const { page } = person;
  await openCodePage(person);
  await page.getByRole("button", { name: "Continue" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.getByLabel("Recovery code").and(page.locator(":focus")).waitFor();
  await page.keyboard.type(codes[0] ?? "");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await person.arrive("/dashboard/account");
  await page.getByRole("status").getByText("Set up a new second factor now.").waitFor();
});

test("by keyboard alone: shown codes are kept, and another device is signed out", async () => {
  await using person = await openPage();
  const { page } = person;
  await openAccount(person, email);
  await turnOnWithCodes(page);
  await keyboard.press(page, "link", "I have kept them");
  await page.getByText("10 of 10 are left.").waitFor();
  await using lost = await openPage();
  await lost.signIn(email);
  await person.visit("/dashboard/account");
  await keyboard.press(page, "button", "Sign out this one (Unknown device)");
  await page.getByRole("status").getByText("That device is signed out.").waitFor();
  await lost.visit("/dashboard/account");
  await lost.arrive("/signin");
});

test("devices, new codes and the page that asks: axe finds nothing, and all fits a phone", async () => {
  await using person = await openPage({ theme: "light", viewport: desktop, reducedMotion: true });
  const { page } = person;
  await openAccount(person, email);
  await turnOnWithCodes(page);
  expect(await faultsOfPage(page)).toEqual([]);
  await page.getByRole("link", { name: "I have kept them" }).click();
  await page.getByText("10 of 10 are left.").waitFor();

  await using other = await openPage({ theme: "light", viewport: desktop, reducedMotion: true });
  await openCodePage(other);
  other.expectProblem("400 POST /dashboard/account/code");
  await other.page.getByText("Lost your device? Use a recovery code").click();
  await other.page.getByLabel("Recovery code").fill("slip");
  await press(other.page, "Remove my second factor");
  await other.page.getByRole("alert").waitFor();
  expect(await faultsOfPage(other.page)).toEqual([]);
  await person.visit("/dashboard/account");
  await page.getByRole("button", { name: "Sign out this one" }).waitFor();
  expect(await faultsOfPage(page)).toEqual([]);
});
