import { beforeEach, expect, test } from "vitest";
import { database } from "../../support/database/database.ts";
import {
  fullOptions,
  storedDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { customer, newDeployment } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import type { Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";

async function deleted(visitor: Visitor, id: string): Promise<string> {
  const named = { name: (await storedDeployment(id)).name };
  const answer = await visitor.post(`/dashboard/deployments/${id}/delete`, named);
  expect(answer.status).toBe(303);
  return textAt(visitor, answer.headers.get("location") ?? "");
}

test("a deployment is deleted by its name alone, and what was typed stays", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  expect(await textAt(visitor, `/dashboard/deployments/${id}/delete`)).toContain(
    "For 30 days you can restore it there",
  );
  for (const name of ["", "production", "Produktion"]) {
    const refused = await visitor.post(`/dashboard/deployments/${id}/delete`, { name });
    const page = await refused.text();
    expect([refused.status, textOfHtml(page)]).toEqual([
      400,
      expect.stringContaining("This is not its name. Capital letters count."),
    ]);
    expect(page).toContain(`value="${name}"`);
  }
  expect((await visitor.request(`/dashboard/deployments/${id}`)).status).toBe(200);
});

test("for thirty days a deletion is taken back, with every version", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  await storeVersion(email, id, fullOptions(), 1);
  const list = await deleted(visitor, id);
  expect(list).toContain("The deployment was deleted. It can be restored below.");
  expect(list).toMatch(/Deleted Production until \w{3} \d+, \d{4} Restore/);
  for (const path of ["", "/edit", "/versions", "/bundle.zip", "/files/livekit.yaml"]) {
    const { status } = await visitor.request(`/dashboard/deployments/${id}${path}`);
    expect.soft([path, status]).toEqual([path, 404]);
  }
  const restored = await visitor.post("/dashboard/deployments", { restore: id });
  expect(restored.headers.get("location")).toBe(`/dashboard/deployments/${id}`);
  expect(await textAt(visitor, `/dashboard/deployments/${id}/versions`)).toContain(
    "What changed from v1 to v2",
  );
  expect((await visitor.post("/dashboard/deployments", { restore: id })).status).toBe(404);
});

test("a deleted deployment takes no room of a plan, and comes back only where there is room", async () => {
  const visitor = await customer("basic");
  const first = await newDeployment(visitor);
  await deleted(visitor, first);
  const second = await newDeployment(visitor, { name: "Second" });
  const page = await textAt(visitor, "/dashboard/deployments");
  expect(page).toContain("Your plan has no room for one more now");
  const refused = await visitor.post("/dashboard/deployments", { restore: first });
  expect([refused.status, textOfHtml(await refused.text())]).toEqual([
    403,
    expect.stringContaining("Basic has one deployment, and you have it."),
  ]);
  await deleted(visitor, second);
  expect((await visitor.post("/dashboard/deployments", { restore: first })).status).toBe(303);
});

testInProof(
  "after thirty days it is gone: not listed, not restored, and removed for good",
  async () => {
    const visitor = await customer("pro");
    const [id, remainingId] = [
      await newDeployment(visitor),
      await newDeployment(visitor, { name: "Kept" }),
    ];
    await deleted(visitor, id);
    await deleted(visitor, remainingId);
    const monthAgo = new Date(Date.now() - 30 * 86_400_000 - 1000).toISOString();
    await database.from("deployments").update({ deleted_at: monthAgo }).eq("id", id).throwOnError();
    const page = await textAt(visitor, "/dashboard/deployments");
    expect(page).not.toContain("Production");
    expect(page).toContain("Kept");
    expect((await visitor.post("/dashboard/deployments", { restore: id })).status).toBe(404);
    const { data } = await database
      .rpc("remove_deleted_deployments", { at_most: 10 })
      .throwOnError();
    expect(data).toBe(1);
    const left = await database.from("deployments").select("id").throwOnError();
    expect(left.data).toEqual([{ id: remainingId }]);
  },
);

testInProof("of many deleted deployments the newest twenty are kept", async () => {
  const visitor = await customer("pro");
  const ids: string[] = [];
  for (let at = 0; at < 21; at++) {
    const id = await newDeployment(visitor, { name: `Number ${at}` });
    ids.push(id);
    const { data } = await database.from("deployments").select("user_id").eq("id", id).single();
    await database
      .rpc("delete_deployment", { owner: data?.user_id ?? "", target: id })
      .throwOnError();
  }
  const { data } = await database.from("deployments").select("id").throwOnError();
  expect(new Set(data?.map(({ id }) => id))).toEqual(new Set(ids.slice(1)));
});

testInProof("nobody restores what another person deleted, and no other text is an id", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  await deleted(visitor, id);
  const stranger = await customer("pro", "customer.two@example.com");
  expect(await textAt(stranger, "/dashboard/deployments")).not.toContain("Production");
  for (const restore of [id, "", "1", `${id}'--`]) {
    const answer = await stranger.post("/dashboard/deployments", { restore });
    expect.soft([restore, answer.status]).toEqual([restore, 404]);
  }
  expect((await storedDeployment(id)).deleted_at).not.toBeNull();
});
