import { beforeEach, expect, test } from "vitest";
import { pageFields } from "../../../scripts/lib/page-forms.ts";
import { database } from "../../support/database/database.ts";
import {
  fullOptions,
  storeDeployment,
  storedDeployment,
} from "../../support/deployments/deployments.ts";
import { customer, newDeployment } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import { variable } from "../../support/site/variables.ts";
import type { Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

const planPage = (to: string, back: string) =>
  `/dashboard/plan?${new URLSearchParams({ to, back })}`;

/** Posts what a step shows with these changes by the button below a locked choice. */
async function leaveForPlan(visitor: Visitor, path: string, changes: Record<string, string>) {
  const page = await (await visitor.request(path)).text();
  expect(textOfHtml(page)).toContain("Part of Pro. Change to Pro");
  return visitor.post(path, { ...pageFields(page).values, ...changes, leave: "plan" });
}

test("the way from a locked choice to Pro and back keeps what was typed, and saves nothing", async () => {
  const visitor = await customer("basic");
  const id = await newDeployment(visitor);
  const path = `/dashboard/deployments/${id}/edit?step=domain`;
  const left = await leaveForPlan(visitor, path, { domain: "new.mycompany.com" });
  expect(left.status).toBe(303);
  expect(left.headers.get("location")).toBe(planPage("pro", path));
  expect((await storedDeployment(id)).version).toBe(1);

  const back = await (await visitor.request(path)).text();
  expect(pageFields(back).values.domain).toBe("new.mycompany.com");
  expect(textOfHtml(back)).toContain("You have unsaved changes in Domain.");
  expect((await visitor.post(path, pageFields(back).values)).status).toBe(303);
  expect((await storedDeployment(id)).options).toMatchObject({ domain: "new.mycompany.com" });
  expect(await textAt(visitor, path)).not.toContain("unsaved changes");
});

testInProof(
  "who bought by the month in the sign-up dialog is led to the yearly offer beside it",
  async () => {
    const visitor = await customer("basic");
    const id = await newDeployment(visitor);
    const monthly = variable("STRIPE_PRICE_MONTHLY");
    await database.from("subscriptions").update({ price_id: monthly }).neq("id", "");
    const path = `/dashboard/deployments/${id}/edit?step=features`;
    const left = await leaveForPlan(visitor, path, {});
    expect(left.headers.get("location")).toBe(planPage("yearly", path));
  },
);

testInProof(
  "what is too long to be kept is still in its fields, and the page says to save it first",
  async () => {
    const visitor = await customer("basic");
    const id = await newDeployment(visitor);
    const path = `/dashboard/deployments/${id}/edit?step=features`;
    const webhooks = Array.from(
      { length: 1_800 },
      (_, nth) => `https://${nth}.mycompany.com/a-long-path`,
    );
    const left = await leaveForPlan(visitor, path, { webhooks: webhooks.join("\n") });
    const page = await left.text();
    expect(left.status).toBe(400);
    expect(textOfHtml(page)).toContain("What you typed is too long to be kept while you are away.");
    expect(pageFields(page).values.webhooks).toBe(webhooks.join("\n"));
  },
);

const beginning = { domain: "two.mycompany.com", email: "ops@mycompany.com" };

testInProof(
  "a full plan leads to Pro, and what was typed for the new deployment is there afterwards",
  async () => {
    const visitor = await customer("basic", "customer.one@example.com");
    const path = "/dashboard/deployments/new";
    await storeDeployment("customer.one@example.com", fullOptions());
    const full = await (await visitor.request(path)).text();
    expect(full).toContain(planPage("pro", path).replace("&", "&amp;"));

    const refused = await visitor.post(path, beginning);
    const page = await refused.text();
    expect(refused.status).toBe(403);
    expect(textOfHtml(page)).toContain("Basic has one deployment, and you have it.");
    expect(pageFields(page).values).toMatchObject(beginning);
    expect(textOfHtml(page)).toContain("Change to Pro");

    const left = await visitor.post(path, { ...beginning, leave: "plan" });
    expect(left.headers.get("location")).toBe(planPage("pro", path));
    await database
      .from("subscriptions")
      .update({ price_id: "price_of_the_past", plan: "pro" })
      .neq("id", "");
    const back = await (await visitor.request(path)).text();
    expect(pageFields(back).values).toMatchObject(beginning);
    expect(textOfHtml(back)).toContain("This is what you typed before.");
    expect((await visitor.post(path, pageFields(back).values)).status).toBe(303);
  },
);

testInProof("who has no plan is led to the prices, and what they typed is kept", async () => {
  const visitor = await customer();
  const path = "/dashboard/deployments/new";
  const refused = await visitor.post(path, beginning);
  const page = await refused.text();
  expect(textOfHtml(page)).toContain(
    "Deployments come with a plan. Choose one first; what you typed is kept.",
  );
  expect(pageFields(page).values).toMatchObject(beginning);
  const left = await visitor.post(path, { ...beginning, leave: "plan" });
  expect(left.headers.get("location")).toBe("/pricing");
});
