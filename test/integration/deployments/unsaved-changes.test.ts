import { beforeEach, expect, test } from "vitest";
import { database } from "../../support/database/database.ts";
import { customer, newDeployment } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt } from "../../support/site/page-text.ts";

beforeEach(resetFakes);

const typed = { step: "domain", version: "1", domain: "typed.mycompany.com" };
const rows = async () => (await database.from("unsaved_changes").select("*")).data ?? [];
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test("unsaved changes are kept for thirty days, and for a day once they are discarded", async () => {
  const visitor = await customer("basic");
  const id = await newDeployment(visitor);
  await visitor.post(`/dashboard/deployments/${id}/unsaved`, typed);
  const left = async (changes: { updated_at: string; discarded: boolean }) => {
    await database.from("unsaved_changes").update(changes).eq("deployment_id", id);
    await database.rpc("remove_expired_unsaved_changes", { at_most: 100 }).throwOnError();
    return (await rows()).length;
  };
  expect(await left({ updated_at: daysAgo(29), discarded: false })).toBe(1);
  expect(await left({ updated_at: daysAgo(0.9), discarded: true })).toBe(1);
  expect(await left({ updated_at: daysAgo(1.1), discarded: true })).toBe(0);
  await visitor.post(`/dashboard/deployments/${id}/unsaved`, typed);
  expect(await left({ updated_at: daysAgo(31), discarded: false })).toBe(0);
});

testInProof("nobody keeps changes of a deployment that is not theirs, nor sees them", async () => {
  const owner = await customer("basic");
  const id = await newDeployment(owner);
  const stranger = await customer("basic", "customer.two@example.com");
  const path = `/dashboard/deployments/${id}/unsaved`;
  expect((await stranger.post(path, typed)).status).toBe(404);
  expect(await rows()).toEqual([]);
  expect((await owner.post(path, typed)).status).toBe(200);
  await stranger.post("/dashboard/deployments/new/unsaved", { domain: "other.mycompany.com" });
  expect(await textAt(owner, "/dashboard/deployments/new")).not.toContain("other.mycompany.com");
});

testInProof("unsaved changes go with the save, and two tabs at two steps keep both", async () => {
  const visitor = await customer("basic");
  const id = await newDeployment(visitor);
  const path = `/dashboard/deployments/${id}/unsaved`;
  await Promise.all([
    visitor.post(path, typed),
    visitor.post(path, { step: "management", version: "1", updates: "weekly" }),
  ]);
  expect(Object.keys(Object((await rows())[0]?.changes)).toSorted()).toEqual(["domain", "updates"]);
  const saved = await visitor.post(`/dashboard/deployments/${id}/edit`, {
    step: "review",
    version: "1",
  });
  expect(saved.status).toBe(303);
  expect(await rows()).toEqual([]);
});
