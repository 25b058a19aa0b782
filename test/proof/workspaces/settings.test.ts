import { beforeEach, expect, test } from "vitest";
import { turnOnWithCodes } from "../../support/auth/account-page.ts";
import { buyForTeam } from "../../support/billing/hosted-pages.ts";
import { stripe } from "../../support/billing/stripe-account.ts";
import { openPage } from "../../support/browser/browser.ts";
import { scriptVariants, variants } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { signedIn } from "../../support/site/visitor.ts";
import { addMember, newWorkspace } from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const base = "/dashboard/w/blue-team";

const variant = variants(scriptVariants);

beforeEach(resetFakes);

/** Ada, who owns blue-team, where Ben is an operator. */
async function teamOfTwo() {
  await signedIn(ada);
  await signedIn(ben);
  await addMember(await newWorkspace(ada, "blue-team"), ben, "operator");
}

test.each(variant())(
  "somebody makes a workspace, and names it anew where a name is refused, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    await person.signIn(ada);
    const { page } = person;
    await person.visit("/dashboard");
    await page.getByRole("banner").locator("summary").click();
    await page.getByRole("link", { name: "New workspace" }).click();
    await person.arrive("/dashboard/workspaces/new");
    const name = page.getByLabel("Name", { exact: true }).and(page.getByRole("textbox"));
    await name.fill("   ");
    person.expectProblem("400 POST /dashboard/workspaces/new");
    await page.getByRole("button", { name: "Make the workspace" }).click();
    await page.getByText("A name is one line of 1 to 80 characters").waitFor();
    await name.fill("Harbour calls");
    await page.getByRole("button", { name: "Make the workspace" }).click();
    await page.waitForURL(/\/dashboard\/w\/[^/]+$/);
    const menu = page.getByText("Workspace: Harbour calls");
    await menu.waitFor();

    const made = new URL(page.url()).pathname;
    await menu.click();
    await page.getByRole("link", { name: "Workspace settings" }).click();
    await person.arrive(`${made}/settings`);
    person.expectProblem(`400 POST ${made}/settings`);
    await name.fill("");
    await page.getByRole("button", { name: "Save the name" }).click();
    await page.getByText("A name is one line of 1 to 80 characters").waitFor();
    await name.fill("Harbour operations");
    await page.getByRole("button", { name: "Save the name" }).click();
    await page.getByText("The name is saved.").waitFor();
    await page.getByText("Workspace: Harbour operations").waitFor();
    // Its address stays: links to it go on working.
    expect(new URL(page.url()).pathname).toBe(`${made}/settings`);
  },
);

test.each(variant())(
  "an owner asks everybody for a second factor once they have one, and no longer, $script",
  async ({ javaScript }) => {
    await teamOfTwo();
    await using owner = await openPage({ javaScript });
    await owner.signIn(ada);
    await using member = await openPage({ javaScript });
    await member.signIn(ben);
    await member.visit(base);
    await member.page.getByText("Workspace: blue-team").waitFor();

    const { page } = owner;
    const ask = page.getByRole("button", { name: "Ask everybody for it" });
    await owner.visit(`${base}/settings`);
    owner.expectProblem(`409 POST ${base}/settings`);
    await ask.click();
    await page.getByText("Set up a second factor for yourself first").waitFor();
    await owner.visit("/dashboard/account");
    await turnOnWithCodes(page);
    await owner.visit(`${base}/settings`);
    await ask.click();
    await page.getByText("From now on everybody has to give a second factor here.").waitFor();
    await page.getByText("Everybody has to give it.").waitFor();

    await member.page.reload();
    const closed = member.page.getByRole("heading", { name: "blue-team needs a second factor" });
    await closed.waitFor();
    await page.getByRole("button", { name: "Ask everybody no longer" }).click();
    await page.getByText("A second factor is no longer asked of everybody.").waitFor();
    await member.visit(base);
    await member.page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  },
);

test.each(variant())(
  "an owner hands a workspace over, is asked twice, and is an admin then, $script",
  async ({ javaScript }) => {
    await teamOfTwo();
    await using owner = await openPage({ javaScript });
    await owner.signIn(ada);
    const { page } = owner;
    const address = page.getByLabel("E-mail address of the member");
    const first = page.getByRole("button", { name: "Hand over", exact: true });
    const second = page.getByRole("button", { name: "Hand blue-team over" });
    await owner.visit(`${base}/settings`);
    owner.expectProblem(`409 POST ${base}/settings`);
    await address.fill("nobody@example.com");
    await first.click();
    await page.getByText("No member has this address.").waitFor();
    await address.fill(ben);
    await first.click();
    await page.getByText(`${ben} becomes the owner of blue-team`).waitFor();
    await page.getByRole("link", { name: "Stay the owner" }).click();
    await address.waitFor();
    expect(await second.count()).toBe(0);
    await address.fill(ben);
    await first.click();
    await second.click();
    await page.getByText("It is handed over. You are an admin now.").waitFor();
    expect(await first.count()).toBe(0);
    expect(await page.getByRole("heading", { name: "Delete the workspace" }).count()).toBe(0);

    await using heir = await openPage({ javaScript });
    await heir.signIn(ben);
    await heir.visit(`${base}/members`);
    const cardOf = (email: string) =>
      heir.page.getByRole("listitem").filter({ hasText: email }).first();
    await cardOf(ben).getByText("Owner · Since").waitFor();
    await cardOf(ada).getByText("Admin · Since").waitFor();
  },
);

test.each(variant())(
  "an owner deletes a workspace with a plan: reads what is lost, types its name, and Stripe charges no more, $script",
  async ({ javaScript }) => {
    await teamOfTwo();
    await using owner = await openPage({ javaScript });
    await buyForTeam(await owner.signIn(ada), base, "pro");
    const { page } = owner;
    await owner.visit(`${base}/settings`);
    await page.getByText("ends every plan of the workspace now").waitFor();
    await page.getByText("takes it away from all its members.").waitFor();
    const typed = page.getByLabel("The name of the workspace, to confirm");
    const button = page.getByRole("button", { name: "Delete blue-team for good" });
    owner.expectProblem(`400 POST ${base}/settings`);
    await typed.fill("blue");
    await button.click();
    await page.getByText("Type blue-team exactly").waitFor();
    expect(await planStates()).toEqual(["active"]);
    await typed.fill("blue-team");
    await button.click();
    await page.getByText("The workspace is deleted").waitFor();
    expect(await planStates()).toEqual(["canceled"]);

    owner.expectProblem(`404 GET ${base}`);
    await owner.visit(base);
    await page.getByRole("heading", { name: "This workspace is not yours" }).waitFor();
  },
);

/** What Stripe says of every subscription there ever was. */
async function planStates(): Promise<string[]> {
  const { data } = await stripe.subscriptions.list({ status: "all" });
  return data.map(({ status }) => status);
}
