import { beforeEach, expect, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { amount, scriptVariants } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { invitationLink } from "../../support/workspaces/invitation-link.ts";

const ada = "customer.one@example.com";
const ben = "customer.two@example.com";
const subject = `${ada} invites you to Acme calls`;

beforeEach(resetFakes);

/** Invites Ben from Ada's personal workspace, which gets a name with it. */
async function invite({ page }: OpenPage, role = "Operator") {
  await page.getByLabel("Name of this workspace").fill("Acme calls");
  await page.getByLabel("E-mail address").fill(ben);
  await page.getByRole("combobox", { name: "Role", exact: true }).selectOption(role);
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await page.getByText("The invitation is on its way.").waitFor();
}

type Way = (typeof scriptVariants)[number];

const ways = amount<readonly Way[]>({ inTest: [scriptVariants[0]], inProof: scriptVariants });

test.each(ways)(
  "somebody is invited, joins in another browser, and is removed while they look, $script",
  async ({ javaScript }) => {
    await using owner = await openPage({ javaScript });
    await owner.signIn(ada);
    await owner.visit("/dashboard/members");
    await owner.page.getByText("You are alone here.").waitFor();
    await invite(owner);

    await using guest = await openPage({ javaScript });
    await guest.visit(await invitationLink(ben, subject));
    await guest.page.getByRole("heading", { name: "Join Acme calls" }).waitFor();
    await guest.page.getByText(`${ada} invites you to Acme calls as Operator.`).waitFor();
    // A stranger with the link reads only how the address begins and ends.
    expect(await guest.page.getByText(ben).count()).toBe(0);
    await guest.signIn(ben);
    await guest.visit(await invitationLink(ben, subject));
    await guest.page.getByRole("button", { name: "Join Acme calls" }).click();
    await guest.page.getByText("Workspace: Acme calls").waitFor();

    await owner.visit("/dashboard/members");
    const card = owner.page.getByRole("listitem").filter({ hasText: ben });
    await card.getByText("Operator · Since").waitFor();
    await card.getByRole("combobox").selectOption("Viewer");
    await card.getByRole("button", { name: `Change Role of ${ben}` }).click();
    await owner.page.getByText("The role is changed. It counts at once.").waitFor();
    await card.getByText("Viewer · Since").waitFor();

    await card.getByText(`Remove (${ben})`).click();
    await card.getByRole("button", { name: `Remove now (${ben})` }).click();
    await owner.page.getByText("Removed. It counts at once, on every device.").waitFor();
    guest.expectProblem("404 GET /dashboard/w/");
    await guest.page.reload();
    await guest.page.getByRole("heading", { name: "This workspace is not yours" }).waitFor();
  },
);
