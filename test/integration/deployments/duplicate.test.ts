import { beforeEach, expect, test } from "vitest";
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

beforeEach(resetFakes);

test("a copy gets a name and a domain of its own, and deleting it leaves the first", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const page = await (await visitor.request(`/dashboard/deployments/${id}/duplicate`)).text();
  expect(page).toContain('value="Copy of Production"');
  expect(textOfHtml(page)).toContain("Another one than rtc.mycompany.com.");
  const made = await visitor.post(`/dashboard/deployments/${id}/duplicate`, {
    name: "Staging",
    domain: "https://staging.mycompany.com/",
  });
  const copy = made.headers.get("location")?.split("/").at(-1) ?? "";
  expect(copy).not.toBe(id);
  expect(await storedDeployment(copy)).toMatchObject({
    name: "Staging",
    options: { domain: "staging.mycompany.com", email: "ops@mycompany.com" },
  });
  await visitor.post(`/dashboard/deployments/${copy}/delete`, { name: "Staging" });
  expect(await textAt(visitor, "/dashboard/deployments")).toContain("Production");
});

testInProof("the domain of the first is refused, and what was typed stays", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  for (const [domain, words] of [
    ["RTC.mycompany.com.", "Production has this domain. Two servers cannot share one"],
    ["", "Nothing was made yet. Please look at the marked fields."],
    ["not a domain", "Nothing was made yet. Please look at the marked fields."],
  ] as const) {
    const answer = await visitor.post(`/dashboard/deployments/${id}/duplicate`, {
      name: "Staging",
      domain,
    });
    const page = await answer.text();
    expect.soft([domain, answer.status]).toEqual([domain, 400]);
    expect.soft(textOfHtml(page)).toContain(words);
    expect.soft(page).toContain(`value="${domain}"`);
    expect.soft(page).toContain('value="Staging"');
  }
  expect((await database.from("deployments").select("id")).data).toHaveLength(1);
});

testInProof(
  "names below the old domain move below the new one; others are left out, and said",
  async () => {
    const visitor = await customer("pro");
    const id = await storeDeployment("customer.one@example.com", {
      ...fullOptions(),
      domain: "live.example.com",
      whipDomain: "in.live.example.com",
      extraDomains: ["calls.example.org", "eu.live.example.com"],
      turn: { mode: "manual", domain: "relay.example.net", udp: true, tls: true },
    });
    expect(await textAt(visitor, `/dashboard/deployments/${id}/duplicate`)).toContain(
      "Left out, because they point at the server of Production: calls.example.org, relay.example.net.",
    );
    const made = await visitor.post(`/dashboard/deployments/${id}/duplicate`, {
      name: "Staging",
      domain: "staging.example.com",
    });
    const copy = await storedDeployment(made.headers.get("location")?.split("/").at(-1) ?? "");
    expect(copy.options).toMatchObject({
      domain: "staging.example.com",
      whipDomain: "in.staging.example.com",
      extraDomains: ["eu.staging.example.com"],
      turn: { mode: "auto" },
    });
  },
);
