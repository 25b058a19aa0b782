import { beforeEach, expect, test } from "vitest";
import { chooseGoogleAccount } from "../../../support/billing/hosted-pages.ts";
import { planDialog, startAtPlanDialog } from "../../../support/billing/plan-dialog.ts";
import { openPage } from "../../../support/browser/browser.ts";
import { closingActions } from "../../../support/browser/closing-actions.ts";
import { scriptVariants } from "../../../support/run/variants.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";

beforeEach(resetFakes);

test("without JavaScript both dialogs close where they close with it", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.visit("/signup");
  await page.getByRole("button", { name: "Sign up with Google" }).click();
  await page.getByRole("button", { name: "Close" }).click();
  await person.arrive("/signup");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await person.signIn();
  await person.visit("/signup");
  await planDialog(page).getByRole("button", { name: "Close" }).click();
  await person.arrive("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
});

test("the plan dialog says under each option which plan it sells", async () => {
  await using person = await openPage();
  const dialog = await startAtPlanDialog(person);
  const radio = (name: string) => dialog.getByRole("radio", { name });
  await radio("Monthly Basic: One server, set up properly. $109.99/month").waitFor();
  await radio("Yearly Pro: Several servers, media in and out, backups. Save over").waitFor();
});

test.each(closingActions)("the plan dialog closes to the home page by %s", async (_, close) => {
  await using person = await openPage();
  const { page } = person;
  await startAtPlanDialog(person);
  await close(page);
  await person.arrive("/");
  await page.getByRole("heading", { name: "Deploy LiveKit Server with Confidence" }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test.each(closingActions)(
  "the sign-in dialog closes by %s and focus goes back",
  async (_, close) => {
    await using person = await openPage();
    const { page } = person;
    await person.visit("/signup");
    const button = page.getByRole("button", { name: "Sign up with Google" });
    await button.click();
    // It stands open in the page until React makes it modal.
    const dialog = page.getByRole("dialog", { name: "Sign in to your account" });
    await dialog.and(page.locator(":modal")).waitFor();
    await close(page);
    await button.and(page.locator(":focus")).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/signup");
    await page.getByRole("link", { name: "← Back to home" }).click();
    await person.arrive("/");
  },
);

test("refusing at Google leads back to the sign-up page, which says so", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/signup");
  await page.getByRole("button", { name: "Sign up with Google" }).click();
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await person.arrive("/signup");
  await page.getByRole("alert").getByText("Sign-in was cancelled.").waitFor();
  await page.getByRole("button", { name: "Sign up with Google" }).click();
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await chooseGoogleAccount(page);
  await person.arrive("/signup");
  await planDialog(page).waitFor();
});

test.each(scriptVariants)(
  "the sign-up page leads to every other way in $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await person.visit("/signup");
    await page.getByRole("link", { name: "Sign up with e-mail or another account" }).click();
    await person.arrive("/signin");
    await page.getByRole("heading", { name: "Create your account" }).waitFor();
    expect(new URL(page.url()).searchParams.get("next")).toBe("/signup");

    await person.visit("/signup");
    await page.getByText("Already have an account?").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Sign in", exact: true }).click();
    await person.arrive("/signin");
    await page.getByLabel("Password").first().waitFor();
  },
);
