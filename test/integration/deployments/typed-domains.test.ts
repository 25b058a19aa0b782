import { beforeEach, expect, test } from "vitest";
import { storedDeployment } from "../../support/deployments/deployments.ts";
import { customer, newDeployment, saveStep } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes, steerInternet } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";

beforeEach(resetFakes);

const beginning = { email: "ops@mycompany.com", draft: "{}" };

test("a mail provider's domain is refused as somebody else's, wherever it is typed", async () => {
  const visitor = await customer("basic");
  const words = "gmail.com belongs to a mail provider";
  const made = await visitor.post("/dashboard/deployments/new", {
    ...beginning,
    domain: "live.gmail.com",
  });
  expect([made.status, textOfHtml(await made.text())]).toEqual([
    400,
    expect.stringContaining(words),
  ]);
  const id = await newDeployment(visitor);
  const saved = await saveStep(visitor, id, "domain", { domain: "https://gmail.com/" });
  expect([saved.status, textOfHtml(await saved.text())]).toEqual([
    400,
    expect.stringContaining(words),
  ]);
  expect(await storedDeployment(id)).toMatchObject({ version: 1 });
});

testInProof(
  "what a typed name already leads to is said while it is typed, in its own letters",
  async () => {
    const visitor = await customer("basic");
    await steerInternet({ name: "xn--mnchen-3ya.example.com", A: ["198.41.0.4"] });
    const ask = async (domain: string) =>
      (await visitor.post("/dashboard/deployments/new/unsaved", { ...beginning, domain })).json();
    expect(await ask("https://münchen.example.com/")).toMatchObject({
      warning: expect.stringContaining(
        "münchen.example.com (xn--mnchen-3ya.example.com) already leads to 198.41.0.4",
      ),
    });
    expect(await ask("free.example.com")).not.toHaveProperty("warning");
    expect(await ask("gmail.com")).toMatchObject({
      warning: expect.stringContaining("belongs to a mail provider"),
    });
  },
);

testInProof(
  "without script the step says it too, and not of the deployment's own server",
  async () => {
    const visitor = await customer("basic");
    const id = await newDeployment(visitor);
    const path = `/dashboard/deployments/${id}/edit?step=domain`;
    expect(await textAt(visitor, path)).not.toContain("already leads to");
    await steerInternet({ name: "rtc.mycompany.com", A: ["198.41.0.4"] });
    expect(await textAt(visitor, path)).toContain("rtc.mycompany.com already leads to 198.41.0.4");
    await visitor.post(`/dashboard/deployments/${id}`, { intent: "address", ipv4: "198.41.0.4" });
    expect(await textAt(visitor, path)).not.toContain("already leads to");
  },
);

testInProof.each(["typed", "shown"])(
  "so many names are looked up in a minute for a person, when the domain is %s",
  async (when) => {
    const visitor = await customer("basic");
    const domain = "used.example.com";
    await steerInternet({ name: domain, A: ["198.41.0.4"] });
    const path = `/dashboard/deployments/${await newDeployment(visitor, { domain })}`;
    const ask = () =>
      when === "typed"
        ? visitor.post(`${path}/unsaved`, { step: "domain", version: "1", domain })
        : visitor.request(`${path}/edit?step=domain`);
    let warned = 0;
    // Twice the limit, because the minute that counts may end in between.
    for (let last = ""; warned < 70; warned++) {
      const answer = await ask();
      expect(answer.status).toBe(200);
      last = await answer.text();
      if (!last.includes("already leads to")) break;
    }
    expect(warned).toBeGreaterThanOrEqual(30);
    expect(warned).toBeLessThan(70);
  },
);

testInProof(
  "a step is shown and kept all the same while the resolver does not answer",
  async () => {
    const visitor = await customer("basic");
    const id = await newDeployment(visitor);
    await steerInternet({ resolver: "failing" });
    const answer = await visitor.post(`/dashboard/deployments/${id}/unsaved`, {
      step: "domain",
      version: "1",
      domain: "new.mycompany.com",
    });
    expect(await answer.json()).toEqual({ steps: ["domain"] });
  },
);

testInProof(
  "the wizard's list of steps is shown before it begins, with the names that it has",
  async () => {
    const visitor = await customer("basic");
    const words = await textAt(visitor, "/dashboard/deployments");
    expect(words).toContain("1 Cloud 2 Domain 3 Network 4 Protection 5 Media 6 Upkeep 7 Review");
    const fields = await (await visitor.request("/dashboard/deployments/new")).text();
    expect(fields).not.toContain('name="name"');
    expect(fields).toContain('value="customer.one@example.com"');
  },
);
