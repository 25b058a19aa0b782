import { beforeEach, expect, test } from "vitest";
import { turnOnWithCodes } from "../../support/auth/account-page.ts";
import { openPage } from "../../support/browser/browser.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { signedIn } from "../../support/site/visitor.ts";
import { addMember, newWorkspace } from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];

beforeEach(resetFakes);

test("a member sets the second factor up that the workspace wants, and works where they were led away", async () => {
  await signedIn(ada);
  await using member = await openPage();
  await member.signIn(ben);
  const team = await newWorkspace(ada, "blue-team");
  await addMember(team, ben, "viewer");
  await runSql("update public.workspaces set needs_second_factor = true where id = $1", [team.id]);
  const { page } = member;
  await member.visit("/dashboard/w/blue-team/usage");
  await page.getByRole("heading", { name: "blue-team needs a second factor" }).waitFor();
  await page.getByText("Workspace: blue-team").click();
  await page.getByRole("link", { name: "blue-team Needs a second factor" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Set up a second factor" }).click();
  await member.arrive("/dashboard/account");
  await turnOnWithCodes(page);
  await page.getByRole("link", { name: "I have kept them" }).click();
  await member.arrive("/dashboard/w/blue-team/usage");
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  expect(await page.getByText("Needs a second factor").count()).toBe(0);
});
