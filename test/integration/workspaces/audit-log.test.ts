import { expect, test } from "vitest";
import { newTokenOf } from "../../support/agents/agent.ts";
import { database } from "../../support/database/database.ts";
import { customer, newDeployment } from "../../support/deployments/wizard.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

test("the audit log says from which network something was changed, and not from which address", async () => {
  await resetFakes();
  const owner = await customer("pro");
  await newDeployment(owner);
  await newTokenOf(owner);
  const { data } = await database
    .from("audit_log")
    .select("action, network")
    .eq("actor_address", "customer.one@example.com")
    .order("id")
    .throwOnError();
  // As 3fff:1:12:34::1 is of 3fff:1:12::/48.
  const network = `${owner.address.split(":").slice(0, 3).join(":")}::/48`;
  expect(data).toEqual(
    expect.arrayContaining([
      { action: "deployment.created", network },
      { action: "token.created", network },
    ]),
  );
});
