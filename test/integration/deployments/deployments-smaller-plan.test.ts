import { beforeEach, expect, test } from "vitest";
import { database } from "../../support/database/database.ts";
import {
  fullOptions,
  storeDeployment,
  storedDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { customer, saveStep } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import type { Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";

/** Somebody with Basic who has three deployments from a time when they had Pro, first made first. */
async function afterDowngrade(): Promise<{ visitor: Visitor; ids: [string, string, string] }> {
  const visitor = await customer("basic", email);
  const first = await storeDeployment(email, fullOptions(), "First");
  const second = await storeDeployment(email, fullOptions(), "Second");
  const third = await storeDeployment(email, fullOptions(), "Third");
  return { visitor, ids: [first, second, third] };
}

const changeToPro = (back: string) =>
  `href="/dashboard/plan?${new URLSearchParams({ to: "pro", back })}"`.replace("&", "&amp;");

testInProof(
  "the list says which deployment Basic changes, marks the others and leads to Pro",
  async () => {
    const { visitor, ids } = await afterDowngrade();
    const page = await (await visitor.request("/dashboard/deployments")).text();
    const words = textOfHtml(page);
    expect(words).toContain(
      "Basic changes one deployment, the one that you made first, and that is First. What is marked read-only can be opened, downloaded and deleted.",
    );
    expect(words).toContain("Basic: 1 of 3 can be changed");
    expect(words.match(/Read-only/g)).toHaveLength(2);
    expect(words).not.toMatch(/First Read-only/);
    expect(page).toContain(changeToPro("/dashboard/deployments"));
    const edits = ids.map((id) => page.includes(`/dashboard/deployments/${id}/edit`));
    expect(edits).toEqual([true, false, false]);
    const deletions = ids.map((id) => page.includes(`/dashboard/deployments/${id}/delete`));
    expect(deletions).toEqual([true, true, true]);
  },
);

testInProof(
  "the pages of a read-only deployment say so in plain words and lead to Pro and back",
  async () => {
    const { visitor, ids } = await afterDowngrade();
    const [first, second] = ids;
    await storeVersion(email, second, { ...fullOptions(), security: "high" }, 1);
    const words =
      "Read-only: Basic changes one deployment, the one that you made first, and that is First. You can open, download and delete this one. With Pro you can change it again.";
    const here = `/dashboard/deployments/${second}`;
    for (const [path, back] of [
      [here, here],
      [`${here}/versions`, here],
      [`${here}/edit?step=features`, `${here}/edit?step=features`],
    ] as const) {
      const page = await (await visitor.request(path)).text();
      expect.soft(textOfHtml(page), path).toContain(words);
      expect.soft(page, path).toContain(changeToPro(back));
      expect.soft(textOfHtml(page), path).not.toMatch(/Save and continue|Restore v1|Part of Pro/);
    }
    expect(await textAt(visitor, `/dashboard/deployments/${first}`)).not.toContain("Read-only");
  },
);

test("the server changes no read-only deployment, by whatever form, and still serves it", async () => {
  const { visitor, ids } = await afterDowngrade();
  const [first, second, third] = ids;
  await storeVersion(email, second, { ...fullOptions(), security: "high" }, 1);
  const before = await storedDeployment(second);
  const here = `/dashboard/deployments/${second}`;
  const refused = [
    await saveStep(visitor, second, "management", { updates: "weekly", version: "2" }),
    await visitor.post(`${here}/versions`, { restore: "1" }),
    await visitor.post(here, { intent: "secrets-on-server" }),
  ];
  for (const answer of refused) {
    expect.soft(answer.status).toBe(403);
    expect
      .soft(textOfHtml(await answer.text()))
      .toContain("Read-only: Basic changes one deployment");
  }
  expect(await storedDeployment(second)).toEqual(before);

  expect((await visitor.request(`${here}/bundle.zip`)).status).toBe(200);
  expect((await visitor.request(`${here}/files/livekit.yaml`)).status).toBe(200);
  expect((await visitor.post(here, { intent: "progress", step: "dns", done: "yes" })).status).toBe(
    303,
  );
  expect((await saveStep(visitor, first, "management", { updates: "weekly" })).status).toBe(303);
  expect((await storedDeployment(first)).options).toMatchObject({
    updates: "weekly",
    ingress: "both",
  });
  const named = { name: (await storedDeployment(third)).name };
  expect((await visitor.post(`/dashboard/deployments/${third}/delete`, named)).status).toBe(303);
});

testInProof(
  "once the first deployment is deleted, the one made after it can be changed",
  async () => {
    const { visitor, ids } = await afterDowngrade();
    const [first, second, third] = ids;
    const named = { name: (await storedDeployment(first)).name };
    expect((await visitor.post(`/dashboard/deployments/${first}/delete`, named)).status).toBe(303);
    expect((await saveStep(visitor, second, "management", { updates: "weekly" })).status).toBe(303);
    expect((await saveStep(visitor, third, "management", { updates: "weekly" })).status).toBe(403);
  },
);

testInProof("with Pro again every deployment can be changed", async () => {
  const { visitor, ids } = await afterDowngrade();
  const { data: offers } = await database.from("subscriptions").select("id");
  expect(offers).toHaveLength(1);
  await database
    .from("subscriptions")
    .update({ price_id: "price_of_the_past", plan: "pro" })
    .neq("id", "");
  for (const id of ids) {
    expect
      .soft((await saveStep(visitor, id, "management", { updates: "weekly" })).status)
      .toBe(303);
  }
  expect(await textAt(visitor, "/dashboard/deployments")).not.toContain("Read-only");
});

testInProof("answers on /services are saved into the deployment that Basic changes", async () => {
  const { visitor, ids } = await afterDowngrade();
  const saved = await visitor.post("/services", { updateSchedule: "Weekly" });
  expect(saved.status).toBe(200);
  const versions = await Promise.all(ids.map(async (id) => (await storedDeployment(id)).version));
  expect(versions).toEqual([2, 1, 1]);
});
