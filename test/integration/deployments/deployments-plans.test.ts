import { beforeEach, expect, test } from "vitest";
import { pageFields } from "../../../scripts/lib/page-forms.ts";
import { stripe } from "../../support/billing/stripe-account.ts";
import { database } from "../../support/database/database.ts";
import {
  fullOptions,
  storeDeployment,
  storedDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { customer, newDeployment, saveStep } from "../../support/deployments/wizard.ts";
import { amount, testInProof } from "../../support/run/variants.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";

beforeEach(resetFakes);

test("a Basic customer cannot make a second deployment, by requests at once either", async () => {
  const visitor = await customer("basic");
  const form = { name: "Production", domain: "rtc.mycompany.com", email: "ops@mycompany.com" };
  const count = amount({ inTest: 5, inProof: 20 });
  const answers = await Promise.all(
    Array.from({ length: count }, () => visitor.post("/dashboard/deployments/new", form)),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([303, ...Array.from({ length: count - 1 }, () => 403)]);
  expect((await database.from("deployments").select("id")).data).toHaveLength(1);
  const refused = textOfHtml(await (await visitor.post("/dashboard/deployments/new", form)).text());
  expect(refused).toContain("Basic has one deployment, and you have it.");
  const list = await textAt(visitor, "/dashboard/deployments");
  expect(list).toContain("Basic: 1 of 1");
  expect(list).toContain("Change to Pro");
  expect(list).not.toContain("Duplicate");
  const [row] = (await database.from("deployments").select("id")).data ?? [];
  const copied = await visitor.post(`/dashboard/deployments/${row?.id}/duplicate`, {
    ...form,
    domain: "copy.mycompany.com",
  });
  expect(copied.status).toBe(403);
});

test("Basic's locked choices say where they are to be had, and the server refuses them", async () => {
  const visitor = await customer("basic");
  const id = await newDeployment(visitor);
  const locked: [step: string, field: string, changes: Record<string, string>, words: string][] = [
    ["domain", "extraDomains", { extraDomains: "two.mycompany.com" }, "Further domains"],
    [
      "network",
      "turn.mode",
      { "turn.mode": "manual", "turn.domain": "turn.mycompany.com", "turn.tls": "on" },
      "A TURN domain of your own",
    ],
    ["protection", "monitoring", { monitoring: "advanced" }, "Advanced monitoring"],
    ["protection", "monitoring", { monitoring: "24/7" }, "Advanced monitoring"],
    ["features", "ingress", { ingress: "rtmp" }, "Ingress"],
    ["features", "recording.kind", { "recording.kind": "local" }, "Egress, which records,"],
    ["management", "backups.frequency", { "backups.frequency": "daily" }, "Automatic backups"],
  ];
  for (const [step, field, changes, words] of locked) {
    const path = `/dashboard/deployments/${id}/edit?step=${step}`;
    expect.soft(await textAt(visitor, path), step).toContain("Part of Pro.");
    const response = await saveStep(visitor, id, step, changes);
    const page = await response.text();
    expect.soft([field, response.status]).toEqual([field, 400]);
    expect.soft(textOfHtml(page)).toContain(`${words} needs the Pro plan.`);
    expect.soft(pageFields(page).values[field]).toBe(changes[field]);
  }
  expect((await storedDeployment(id)).version).toBe(1);
});

testInProof(
  "a draft's choices are filled in, and what the plan lacks or needs more for is named",
  async () => {
    const draft = JSON.stringify({
      provider: "Digital Ocean",
      region: "EU West",
      securityLevel: "High",
      backupFrequency: "Daily",
      recordingStorage: "S3",
      ignored: { a: 1 },
    });
    const form = { name: "P", domain: "rtc.mycompany.com", email: "ops@mycompany.com", draft };
    const visitor = await customer("basic");
    const made = await visitor.post("/dashboard/deployments/new", form);
    const address = made.headers.get("location") ?? "";
    const words = await textAt(visitor, address);
    expect(words).toContain("without automatic backups: that is part of Pro");
    expect(words).toContain("Still to say: the bucket for recordings (step Media)");
    expect((await storedDeployment(address.split("/")[3] ?? "")).options).toMatchObject({
      provider: "digital-ocean",
      region: "eu-west",
      security: "high",
      backups: { frequency: "none" },
      recording: { kind: "none" },
    });
  },
);

testInProof("without a plan nothing is made, and the way to one is shown", async () => {
  const visitor = await customer();
  expect(await textAt(visitor, "/dashboard/deployments")).toContain("Choose a plan");
  const response = await visitor.post("/dashboard/deployments/new", {
    name: "P",
    domain: "rtc.mycompany.com",
    email: "ops@mycompany.com",
  });
  expect(response.status).toBe(403);
  expect((await database.from("deployments").select("id")).data).toEqual([]);
});

test("an ended plan still reads, downloads and deletes, and changes nothing", async () => {
  const visitor = await customer("basic");
  const id = await newDeployment(visitor);
  const [subscription] = (await stripe.subscriptions.list()).data;
  await stripeControl(`subscriptions/${subscription?.id}/cancel`);
  await stripeControl(`subscriptions/${subscription?.id}/renew`);
  await settledStripeEvents();

  expect(await textAt(visitor, `/dashboard/deployments/${id}/edit?step=review`)).toContain(
    "rtc.mycompany.com",
  );
  const step = await textAt(visitor, `/dashboard/deployments/${id}/edit`);
  expect(step).toContain("Your plan has ended. You can read and download everything");
  expect(step).not.toContain("Save and continue");
  expect((await visitor.request(`/dashboard/deployments/${id}/bundle.zip`)).status).toBe(200);
  expect((await saveStep(visitor, id, "management", { updates: "weekly" })).status).toBe(403);
  const copy = { name: "Copy", domain: "copy.mycompany.com" };
  expect((await visitor.post(`/dashboard/deployments/${id}/duplicate`, copy)).status).toBe(403);
  expect((await storedDeployment(id)).version).toBe(1);
  const named = { name: "Production" };
  expect((await visitor.post(`/dashboard/deployments/${id}/delete`, named)).status).toBe(303);
});

test("a version that the plan lacks is not restored, and what it lacks is named", async () => {
  const visitor = await customer("basic");
  const id = await storeDeployment("customer.one@example.com", fullOptions());
  const simple = { ...fullOptions(), ingress: "none", monitoring: "basic" } as const;
  await storeVersion("customer.one@example.com", id, simple, 1);
  const answer = await visitor.post(`/dashboard/deployments/${id}/versions`, { restore: "1" });
  expect(answer.status).toBe(400);
  const words = textOfHtml(await answer.text());
  expect(words).toContain("Your plan does not have this. Advanced monitoring needs the Pro plan.");
  expect(words).toContain("Ingress needs the Pro plan.");
  expect((await storedDeployment(id)).version).toBe(2);
});
