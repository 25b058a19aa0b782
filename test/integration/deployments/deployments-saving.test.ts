import { beforeEach, expect, test } from "vitest";
import { pageFields } from "../../../scripts/lib/page-forms.ts";
import { pressLink } from "../../support/auth/account.ts";
import { buy } from "../../support/billing/hosted-pages.ts";
import { database } from "../../support/database/database.ts";
import { storedDeployment } from "../../support/deployments/deployments.ts";
import { customer, newDeployment, saveStep } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import type { Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

test("each step is saved as a version, and one that changes nothing is not", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const saved = await saveStep(visitor, id, "management", { updates: "weekly" });
  expect(saved.headers.get("location")).toContain("step=review");
  await saveStep(visitor, id, "management", { updates: "weekly" });
  await saveStep(visitor, id, "deployment", { name: "Renamed" });
  expect(await storedDeployment(id)).toMatchObject({ version: 2, name: "Renamed" });
  const versions = database.from("deployment_versions").select("version, options");
  const { data } = await versions.order("version");
  expect(data).toMatchObject([
    { version: 1, options: { updates: "manual" } },
    { version: 2, options: { updates: "weekly" } },
  ]);
});

test("what was saved elsewhere in the meantime is not overwritten unseen", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const path = `/dashboard/deployments/${id}/edit?step=management`;
  const { values } = pageFields(await (await visitor.request(path)).text());
  await saveStep(visitor, id, "protection", { security: "high" });
  const response = await visitor.post(path, { ...values, updates: "monthly" });
  const page = await response.text();
  expect(response.status).toBe(409);
  expect(textOfHtml(page)).toContain(
    "was saved elsewhere in the meantime. What you typed is still below",
  );
  const again = pageFields(page).values;
  expect(again.updates).toBe("monthly");
  expect((await visitor.post(path, again)).status).toBe(303);
  expect((await storedDeployment(id)).options).toMatchObject({
    security: "high",
    updates: "monthly",
  });
});

test("what is typed when the session has ended comes back after signing in", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const path = `/dashboard/deployments/${id}/edit?step=domain`;
  const { values } = pageFields(await (await visitor.request(path)).text());
  visitor.loseSession();
  const response = await visitor.post(path, { ...values, domain: "new.mycompany.com" });
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe(`/signin?${new URLSearchParams({ next: path })}`);
  await visitor.request("/signin");
  await visitor.signInWithGoogle();
  const page = await (await visitor.request(path)).text();
  expect(pageFields(page).values.domain).toBe("new.mycompany.com");
  expect(textOfHtml(page)).toContain("You have unsaved changes in Domain.");
  expect((await visitor.post(path, pageFields(page).values)).status).toBe(303);
  expect((await storedDeployment(id)).options).toMatchObject({ domain: "new.mycompany.com" });
  expect(pageFields(await (await visitor.request(path)).text()).values.domain).toBe(
    "new.mycompany.com",
  );
  expect(await textAt(visitor, path)).not.toContain("unsaved changes");
});

testInProof.each([
  [
    "a user who signs in again",
    (visitor: Visitor, next: string) =>
      visitor.post("/dashboard/account", { intent: "sign_in_again", next }),
  ],
  [
    "a user who chooses a new password",
    async (visitor: Visitor, next: string) => {
      const email = "customer.one@example.com";
      await visitor.post("/signin", { intent: "forgotten_password", email });
      await pressLink(email, "Choose a new password", visitor);
      const password = "four quiet servers hum";
      return visitor.post("/signin", { intent: "update_password", password, next });
    },
  ],
])("%s finds what they typed before", async (_, end) => {
  const visitor = await customer("pro");
  const path = "/dashboard/deployments/new";
  visitor.loseSession();
  await visitor.post(path, { name: "Mine", domain: "mine.mycompany.com", email: "" });
  await visitor.request("/signin");
  await visitor.signInWithGoogle();
  const { status, headers } = await end(visitor, path);
  expect([status, headers.get("location")]).toEqual([303, expect.stringContaining("/signin?")]);
  expect((await visitor.request(path)).status).toBe(302);
  await visitor.signInWithGoogle();
  expect(await (await visitor.request(path)).text()).toContain("mine.mycompany.com");
});

testInProof(
  "what comes back after signing in changes nothing else that was saved meanwhile, mistakes or not",
  async () => {
    const visitor = await customer("pro");
    const id = await newDeployment(visitor);
    const path = `/dashboard/deployments/${id}/edit?step=domain`;
    const { values } = pageFields(await (await visitor.request(path)).text());
    visitor.loseSession();
    await visitor.post(path, { ...values, domain: "new.mycompany.com" });
    const elsewhere = await customer();
    await saveStep(elsewhere, id, "management", { updates: "weekly" });
    await visitor.request("/signin");
    await visitor.signInWithGoogle();
    const back = pageFields(await (await visitor.request(path)).text()).values;
    const mistaken = await visitor.post(path, { ...back, domain: "*.mycompany.com" });
    expect(mistaken.status).toBe(400);
    const mended = { ...pageFields(await mistaken.text()).values, domain: "new.mycompany.com" };
    expect((await visitor.post(path, mended)).status).toBe(303);
    expect((await storedDeployment(id)).options).toMatchObject({
      domain: "new.mycompany.com",
      updates: "weekly",
    });
  },
);

testInProof(
  "what comes back stands beside another value that was saved meanwhile, and is not saved by itself",
  async () => {
    const visitor = await customer("pro");
    const id = await newDeployment(visitor);
    const path = `/dashboard/deployments/${id}/edit?step=domain`;
    const { values } = pageFields(await (await visitor.request(path)).text());
    visitor.loseSession();
    await visitor.post(path, { ...values, domain: "mine.mycompany.com" });
    await saveStep(await customer(), id, "domain", { domain: "theirs.mycompany.com" });
    await visitor.request("/signin");
    await visitor.signInWithGoogle();
    const words = await textAt(visitor, path);
    expect(words).toContain("Domain theirs.mycompany.com mine.mycompany.com");
    expect((await storedDeployment(id)).options).toMatchObject({ domain: "theirs.mycompany.com" });
  },
);

testInProof(
  "what somebody typed when their session had ended is not shown to the next person",
  async () => {
    const visitor = await customer("pro");
    const path = "/dashboard/deployments/new";
    visitor.loseSession();
    await visitor.post(path, { name: "Mine", domain: "mine.mycompany.com", email: "" });
    expect(visitor.cookies.has("unsaved-form")).toBe(true);
    const formCookie = Buffer.from(visitor.cookies.get("unsaved-form") ?? "", "base64url");
    expect(formCookie.toString("latin1")).not.toContain("mycompany");
    await visitor.request("/signin");
    await visitor.signInWithGoogle("customer.two@example.com");
    await buy(visitor, "pro");
    const page = await (await visitor.request(path)).text();
    expect(page).toContain('name="domain"');
    expect(page).not.toContain("mine.mycompany.com");
    await visitor.post("/signout", {});
    expect(visitor.cookies.has("unsaved-form")).toBe(false);
  },
);

testInProof(
  "the ids that steps had before still lead to them: in bookmarks, posted forms and kept forms",
  async () => {
    const visitor = await customer("pro");
    const id = await newDeployment(visitor);
    const edit = `/dashboard/deployments/${id}/edit?step=`;
    for (const [former, title] of [
      ["security", "Domain"],
      ["server", "Network"],
      ["security-advanced", "Protection"],
    ] as const)
      expect(await (await visitor.request(edit + former)).text(), former).toContain(
        `>${title}</h1>`,
      );

    const { values } = pageFields(await (await visitor.request(`${edit}security`)).text());
    const posted = { ...values, step: "security", domain: "new.mycompany.com" };
    expect((await visitor.post(`${edit}security`, posted)).headers.get("location")).toContain(
      "step=network",
    );
    expect((await storedDeployment(id)).options).toMatchObject({ domain: "new.mycompany.com" });

    visitor.loseSession();
    await visitor.post(`${edit}security`, { ...posted, domain: "kept.mycompany.com" });
    await visitor.request("/signin");
    await visitor.signInWithGoogle();
    const back = await (await visitor.request(`${edit}security`)).text();
    expect(pageFields(back).values.domain).toBe("kept.mycompany.com");
  },
);

testInProof("after too many saves the wait is said and what was typed stays", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const path = `/dashboard/deployments/${id}/edit?step=domain`;
  const { values } = pageFields(await (await visitor.request(path)).text());
  const tick = { intent: "progress", step: "dns", done: "yes" };
  let response: Response | undefined;
  // Twice the limit, because the minute that counts may end in between.
  for (let ticks = 0; ticks < 130 && response?.status !== 429; ticks++) {
    const { status } = await visitor.post(`/dashboard/deployments/${id}`, tick);
    if (status === 429) response = await visitor.post(path, { ...values, email: "late@my.com" });
  }
  if (response?.status !== 429) throw new Error("Nothing was ever too often");
  expect(response.headers.get("retry-after")).toBe("60");
  const page = await response.text();
  expect(textOfHtml(page)).toContain("Too many attempts.");
  expect(pageFields(page).values.email).toBe("late@my.com");
});

testInProof(
  "after too many tries the form for the first server says so and keeps what was typed",
  async () => {
    const visitor = await customer("pro");
    const typed = {
      domain: "not a domain",
      provider: "hetzner",
      region: "asia-pacific",
      size: "large",
    };
    let refused: Response | undefined;
    // Twice the limit, because the minute that counts may end in between.
    for (let tries = 0; tries < 130 && !refused; tries++) {
      const answer = await visitor.twin().post("/dashboard?index", { ...typed, intent: "create" });
      if (answer.status === 429) refused = answer;
      else await answer.body?.cancel();
    }
    if (!refused) throw new Error("Nothing was ever too often");
    const page = await refused.text();
    expect(textOfHtml(page)).toContain("Too many attempts.");
    expect(pageFields(page).values).toMatchObject(typed);
  },
);

testInProof(
  "answers on /services are saved into the deployment last worked on, within the plan",
  async () => {
    const visitor = await customer("basic");
    const begin = await visitor.post("/services", { updateSchedule: "Weekly" });
    expect(begin.status).toBe(200);
    const id = await newDeployment(visitor);
    const saved = await visitor.post("/services", { updateSchedule: "Weekly", provider: "Azure" });
    expect(saved.status).toBe(200);
    expect(saved.headers.get("cache-control")).toContain("no-store");
    expect(await storedDeployment(id)).toMatchObject({
      version: 2,
      options: { updates: "weekly", provider: "azure", domain: "rtc.mycompany.com" },
    });
    expect((await visitor.post("/services", { backupFrequency: "Daily" })).status).toBe(400);
    expect((await visitor.post("/services", { domain: "*.mycompany.com" })).status).toBe(400);
    expect((await visitor.post("/services", { recordingStorage: "S3" })).status).toBe(400);
    visitor.loseSession();
    expect((await visitor.post("/services", { updateSchedule: "Monthly" })).status).toBe(200);
    expect((await storedDeployment(id)).version).toBe(2);
  },
);
