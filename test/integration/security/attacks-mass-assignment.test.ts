import { beforeAll, expect, test } from "vitest";
import {
  changeOwn,
  newTokenOf,
  report,
  reportOf,
  userConfiguration,
} from "../../support/agents/agent.ts";
import { accountPageOf, change } from "../../support/auth/account.ts";
import { prices, sessionRequests } from "../../support/billing/stripe-account.ts";
import { database, personalWorkspaceOf, userIdOf } from "../../support/database/database.ts";
import { customer, newDeployment, saveStep } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import type { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const victimEmail = "customer.two@example.com";

let visitor: Visitor;
let userId: string;
let victimId: string;
/** Columns and options that no form of ours has, under every name that they might be taken by. */
let extra: Record<string, string>;

beforeAll(async () => {
  await resetFakes();
  visitor = await customer("basic", email);
  await customer(undefined, victimEmail);
  [userId, victimId] = [await userIdOf(email), await userIdOf(victimEmail)];
  extra = {
    id: "11111111-1111-4111-8111-111111111111",
    user_id: victimId,
    userId: victimId,
    owner: victimId,
    saver: victimEmail,
    plan: "pro",
    status: "active",
    role: "service_role",
    allowed: "1000",
    created_at: "2001-01-01T00:00:00Z",
    updated_at: "2001-01-01T00:00:00Z",
    ticks: '{"dns":true}',
    server_ipv4: "198.41.0.4",
    new_options: "{}",
    customer_id: "cus_somebody",
    __proto__: "x",
    "constructor.prototype.plan": "pro",
    "options[ingress]": "both",
  };
});

async function rowsOf<
  Table extends
    | "deployments"
    | "model_configuration_versions"
    | "api_tokens"
    | "token_allowances"
    | "contact_messages"
    | "subscriptions"
    | "customers",
>(table: Table) {
  return (await database.from(table).select("*").throwOnError()).data;
}

test("a deployment is the person's own, within their plan, whatever else a form says", async () => {
  const id = await newDeployment(visitor, { ...extra, ingress: "both", monitoring: "advanced" });
  await saveStep(visitor, id, "deployment", { ...extra, name: "Renamed" });
  const [row, ...others] = await rowsOf("deployments");
  expect(others).toEqual([]);
  expect(row).toMatchObject({ id, user_id: userId, name: "Renamed", version: 1, ticks: {} });
  expect(row?.id).not.toBe(extra.id);
  expect(row?.created_at).not.toContain("2001-");
  expect(row?.options).toMatchObject({ ingress: "none", monitoring: "basic" });
  expect(JSON.stringify(row?.options)).not.toMatch(/user_id|owner|plan|role|allowed/);
  const second = await visitor.post("/dashboard/deployments/new", {
    ...{ name: "Second", domain: "two.mycompany.com", email: "ops@mycompany.com" },
    ...extra,
  });
  expect(second.status).toBe(403);
});

testInProof("a configuration, a token and an allowance are the person's own", async () => {
  const saved = await changeOwn(visitor, {
    ...extra,
    ...{ intent: "save", model: "mine", instructions: "", voice: "nova", version: "0" },
    ...{ "inputAudioTranscription.model": "whisper-2", modalities: "[]", restored_from: "9" },
  });
  expect(saved).toMatchObject({ ok: true, version: 1 });
  await changeOwn(visitor, {
    ...extra,
    intent: "create-token",
    name: "Mine",
    hash: "0".repeat(64),
  });
  await changeOwn(visitor, { ...extra, intent: "set-allowance", identity: "ada", tokens: "5" });
  expect(await rowsOf("model_configuration_versions")).toMatchObject([
    { user_id: userId, saved_by: email, version: 1, restored_from: null },
  ]);
  const [token, ...others] = await rowsOf("api_tokens");
  expect([token?.user_id, others]).toEqual([userId, []]);
  expect(token?.token_hash).not.toBe("0".repeat(64));
  expect(await rowsOf("token_allowances")).toMatchObject([
    { workspace_id: await personalWorkspaceOf(userId), identity: "ada" },
  ]);
});

testInProof(
  "an agent's report counts for the token's owner and with its own figures only",
  async () => {
    const token = await newTokenOf(visitor, "Reports");
    const sent = { ...reportOf("event", "bob"), ...extra, day: "2001-01-01", responses: 99 };
    expect((await report(token, sent)).status).toBe(200);
    const { data } = await database.from("token_usage_days").select("*").throwOnError();
    const workspace_id = await personalWorkspaceOf(userId);
    expect(data).toMatchObject([{ workspace_id, identity: "bob", responses: 1 }]);
  },
);

test("a purchase charges a price of ours to the person who asks, whatever the order says besides", async () => {
  const buyer = await customer(undefined, victimEmail);
  const before = (await sessionRequests()).length;
  const order = {
    ...extra,
    ...{ priceId: prices.yearly, userId: victimId, mode: "setup", quantity: 0, amount: 1 },
    ...{
      customer: "cus_somebody",
      success_url: "https://evil.example",
      discounts: [{ coupon: "free" }],
    },
  };
  const response = await buyer.request("/api/create-checkout-session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(order),
  });
  expect(response.status).toBe(200);
  const params = (await sessionRequests()).at(-1)?.params ?? {};
  expect((await sessionRequests()).length).toBe(before + 1);
  expect(params).toMatchObject({
    mode: "subscription",
    line_items: [{ price: prices.yearly, quantity: "1" }],
    client_reference_id: victimId,
  });
  expect(JSON.stringify(params)).not.toMatch(/evil|discounts|cus_somebody|setup/);
});

test("the account's forms change what they say, and no role, plan or confirmation", async () => {
  const before = await rowsOf("subscriptions");
  const { status } = await change(visitor, {
    ...extra,
    ...{ intent: "enrol", email: "taken@example.com", email_confirmed_at: "now", aal: "aal2" },
  });
  expect(status).toBe(200);
  const page = await accountPageOf(visitor);
  expect(page).toContain(email);
  expect(page).not.toContain("taken@example.com");
  const { data } = await database.auth.admin.getUserById(userId);
  expect(data.user).toMatchObject({ id: userId, email, role: "authenticated" });
  expect(await rowsOf("subscriptions")).toEqual(before);
  expect(
    (await userConfiguration(visitor)).tokens.every(({ name }) =>
      ["Mine", "Reports"].includes(name),
    ),
  ).toBe(true);
});

testInProof(
  "a message to support is stored with its four fields and nothing else of the form",
  async () => {
    await visitor.post("/contact", {
      ...extra,
      ...{ name: "Ada", email: "ada@example.com", topic: "support" },
      message: "A message that is long enough.",
    });
    const [row] = await rowsOf("contact_messages");
    expect(row).toMatchObject({ name: "Ada", email: "ada@example.com" });
    expect(row?.id).not.toBe(extra.id);
    expect(JSON.stringify(row)).not.toMatch(/2001-01-01|service_role|active/);
  },
);
