import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { enrolMachines } from "../../support/servers/connect-server.ts";
import { controlFleet } from "../../support/servers/control-fleet.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { textAt } from "../../support/site/page-text.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { personalWorkspace } from "../../support/workspaces/workspaces.ts";

beforeEach(resetFakes);

const ada = "customer.one@example.com";

test("a server's page shows what changed in the last 24 hours, and older changes behind a fold", async () => {
  const owner = new Visitor();
  await owner.signInWithGoogle(ada);
  await storePlan(ada, "pro");
  const deployment = await storeDeployment(ada, fullOptions());
  const [machine] = await enrolMachines(owner, deployment, 1);
  const page = `/dashboard/servers/${machine?.server}`;
  await machine?.report(1, ["address\t4\t198.41.0.4"]);
  await machine?.report(2, ["address\t4\t198.41.0.5"]);
  const fresh = await textAt(owner, page);
  expect(fresh).toContain("Its address changed");
  expect(fresh).not.toContain("older change");
  const { id } = await personalWorkspace(ada);
  await controlFleet(siteUrl, id, "clock", { ms: 25 * 3_600_000 });
  const later = await textAt(owner, page);
  // The other is that it fell silent after its last report.
  expect(later).toContain("Nothing changed. 2 older changes");
});
