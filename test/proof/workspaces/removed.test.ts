import { beforeEach, expect, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { scriptVariants } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { ben, shareDeployment } from "../../support/workspaces/shared-deployment.ts";
import { addMember, removeMember } from "../../support/workspaces/workspaces.ts";

beforeEach(resetFakes);

/** The page says what happened, names nothing of the workspace, and leads to the person's own. */
async function expectRemoved(person: OpenPage, base: string) {
  const { page } = person;
  await page.getByRole("heading", { name: "This workspace is not yours" }).waitFor();
  await page.getByText("Nothing that you sent since then was saved.").waitFor();
  expect(await renderedText(page.locator("body"))).not.toMatch(/Acme calls|Okapi|media\.example/);
  expect(await page.locator(`a[href^="${base}"]`).count()).toBe(0);
  await page.getByRole("link", { name: "Your workspaces" }).click();
  await person.arrive("/dashboard");
  expect(await page.getByText("Acme calls").count()).toBe(0);
}

test.each(scriptVariants)(
  "a member who is removed while they look reads so with the next click and each form, $script",
  async ({ javaScript }) => {
    await using owner = await openPage();
    await using member = await openPage({ javaScript });
    const { base, deployment, team } = await shareDeployment(owner, member, "admin");
    const { page } = member;
    member.expectProblem(`404 GET ${base}/usage`);
    member.expectProblem(`404 POST ${deployment}/edit`);
    member.expectProblem(`404 POST ${base}/members`);
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const acts = [
      {
        at: `${deployment}/versions`,
        act: () => page.getByRole("link", { name: "Usage", exact: true }).click(),
      },
      {
        at: `${deployment}/edit?step=domain`,
        async act() {
          await page.getByLabel("Domain", { exact: true }).fill("typed.example.com");
          await press("Save");
        },
      },
      {
        at: `${base}/members`,
        async act() {
          await page.getByLabel("E-mail address").fill("new@example.com");
          await press("Send the invitation");
        },
      },
    ];
    for (const { at, act } of acts) {
      await member.visit(at);
      await page.getByText("Acme calls").first().waitFor();
      await removeMember(team, ben);
      await act();
      await expectRemoved(member, base);
      await addMember(team, ben, "admin");
    }
  },
);

test("a removed member reads so also after a form that is sent elsewhere", async () => {
  await using owner = await openPage();
  await using member = await openPage();
  const { base, team } = await shareDeployment(owner, member);
  await member.visit(`${base}/models`);
  await member.page.getByLabel("Model", { exact: true }).first().fill("typed-model");
  await removeMember(team, ben);
  member.expectProblem("404 POST /openai-config/own");
  member.expectProblem(`404 GET ${base}/models`);
  await member.page.getByRole("button", { name: "Update Configuration" }).click();
  await expectRemoved(member, base);
});

test("where a workspace is not theirs, the command palette leads to what is", async () => {
  await using person = await openPage();
  await person.signIn(ben);
  person.expectProblem("404 GET /dashboard/w/nobodys-team");
  await person.visit("/dashboard/w/nobodys-team/usage");
  await person.page.getByRole("heading", { name: "This workspace is not yours" }).waitFor();
  await person.page.keyboard.press("ControlOrMeta+k");
  const palette = person.page.getByRole("dialog");
  await palette.getByRole("option", { name: "Overview", selected: true }).waitFor();
  await person.page.keyboard.press("Enter");
  await person.arrive("/dashboard");
});
