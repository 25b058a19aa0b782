import { beforeEach, expect, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { scriptVariants } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { shareDeployment } from "../../support/workspaces/shared-deployment.ts";

beforeEach(resetFakes);

const save = ({ page }: OpenPage) =>
  page.getByRole("button", { name: "Save", exact: true }).click();
/** Types another domain; with script, until it is kept. */
async function type({ page }: OpenPage, javaScript: boolean) {
  const domain = page.getByLabel("Domain", { exact: true });
  await domain.fill("typed.example.com");
  if (javaScript) await page.getByText("Unsaved changes, kept for you.").waitFor();
  return domain;
}
const update = ({ page }: OpenPage, name: string) =>
  page.getByRole("radio", { name: new RegExp(`^${name} By a timer`) });

test.each(scriptVariants)(
  "a member who saves a deployment that a colleague has deleted is led to where it is restored, $script",
  async ({ javaScript }) => {
    await using owner = await openPage({ javaScript });
    await using member = await openPage({ javaScript });
    const { base, deployment } = await shareDeployment(owner, member);
    const { page } = member;
    await member.visit(`${deployment}/edit?step=domain`);
    await type(member, javaScript);

    await owner.visit(`${deployment}/delete`);
    await owner.page.getByLabel("Its name, to confirm").fill("Okapi server");
    await owner.page.getByRole("button", { name: "Delete it and its versions" }).click();
    await owner.arrive(`${base}/deployments`);

    member.expectProblem(`404 POST ${deployment}/edit`);
    await save(member);
    await page.getByRole("heading", { name: "This page is not here" }).waitFor();
    await page.getByText("nothing that you sent since then was saved").waitFor();
    await page.getByRole("link", { name: "Your deployments" }).click();
    await member.arrive(`${base}/deployments`);
    await page.getByRole("button", { name: /^Restore/ }).waitFor();
  },
);

test.each(scriptVariants)(
  "of two members who edit one deployment, the second to save reads of the conflict and loses nothing, $script",
  async ({ javaScript }) => {
    await using owner = await openPage({ javaScript });
    await using member = await openPage({ javaScript });
    const { deployment } = await shareDeployment(owner, member);
    const step = `${deployment}/edit?step=management`;
    await owner.visit(step);
    await member.visit(step);

    await update(member, "Weekly").check();
    await save(member);
    await member.page.getByText("Saved as version 2.").waitFor();

    await update(owner, "Monthly").check();
    owner.expectProblem(`409 POST ${deployment}/edit`);
    await save(owner);
    await owner.page.getByText("was saved elsewhere in the meantime").waitFor();
    const both = owner.page.getByRole("table", { name: "Values saved elsewhere, and yours" });
    await both.getByRole("cell", { name: /weekly/i }).waitFor();
    await both.getByRole("cell", { name: /monthly/i }).waitFor();
    expect(await update(owner, "Monthly").isChecked()).toBe(true);

    await save(owner);
    await owner.page.getByText("Saved as version 3.").waitFor();
    await member.visit(step);
    expect(await update(member, "Monthly").isChecked()).toBe(true);
  },
);

test.each(scriptVariants)(
  "a member whose role is lowered while a form is open reads so, and what they typed still stands there, $script",
  async ({ javaScript }) => {
    await using owner = await openPage({ javaScript });
    await using member = await openPage({ javaScript });
    const { deployment } = await shareDeployment(owner, member);
    const { page } = member;
    await member.visit(`${deployment}/edit?step=domain`);
    const domain = await type(member, javaScript);
    await runSql("update public.members set role = 'viewer' where role = 'operator'");
    member.expectProblem(`403 POST ${deployment}/edit`);
    await save(member);
    await page
      .getByText("This is for owners, admins and operators. Nothing was changed.")
      .waitFor();
    expect(await domain.inputValue()).toBe("typed.example.com");
  },
);
