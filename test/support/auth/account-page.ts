import type { Page } from "playwright-core";
import type { OpenPage } from "../browser/browser.ts";
import { freshCode, recoveryCodesIn } from "./account.ts";

export const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).click();

export async function openAccount(person: OpenPage, email: string): Promise<void> {
  await person.signIn(email);
  await person.visit("/dashboard");
  await person.page.getByRole("link", { name: "Account", exact: true }).click();
  await person.arrive("/dashboard/account");
  await person.page.getByRole("heading", { name: "Account", exact: true }).waitFor();
}

/** Begins a second factor and answers the secret that the page shows. */
export async function beginSecondFactor(page: Page): Promise<string> {
  await press(page, "Set up");
  await page.getByAltText("QR code of the secret below").waitFor();
  const secretText = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent();
  return (secretText ?? "").replaceAll(" ", "");
}

/** Turns a first second factor on and answers its secret and the recovery codes that are shown. */
export async function turnOnWithCodes(page: Page): Promise<{ secret: string; codes: string[] }> {
  const secret = await beginSecondFactor(page);
  await page.getByLabel("Code from the app").fill(freshCode(secret));
  await press(page, "Turn it on");
  await page.getByRole("status").getByText("The second factor is on.").waitFor();
  const list = page.getByRole("list", { name: "Your recovery codes" });
  return { secret, codes: recoveryCodesIn(await list.innerHTML()) };
}

/** The same where only the secret matters. */
export async function turnOnSecondFactor(page: Page): Promise<string> {
  return (await turnOnWithCodes(page)).secret;
}
