import { beforeEach, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { scriptVariants } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
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
