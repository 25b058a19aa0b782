import { expect, test } from "vitest";
import {
  eventTypes,
  openCheckout,
  prices,
  refusal,
  returns,
  secretKey,
  startFake,
} from "../../support/billing/stripe-fake.ts";
import { pollUntil } from "../../support/site/poll.ts";

test("customers are created, changed, found and deleted", async () => {
  await using fake = await startFake();
  const { customers } = fake.stripe;
  const made = await customers.create({
    email: "ann@example.com",
    metadata: { user_id: "u-1", plan: "none" },
  });
  const changed = await customers.update(made.id, { name: "Ann", metadata: { plan: "" } });
  expect(changed).toMatchObject({ name: "Ann", metadata: { user_id: "u-1" } });
  expect(changed.metadata.plan).toBeUndefined();
  expect((await customers.list({ email: "ann@example.com" })).data).toHaveLength(1);
  expect((await customers.list({ email: "bob@example.com" })).data).toHaveLength(0);
  const found = await customers.search({ query: "metadata['user_id']:'u-1'" });
  expect(found.data.map((customer) => customer.id)).toEqual([made.id]);
  await customers.del(made.id);
  const { id, object, deleted } = await customers.retrieve(made.id);
  expect({ id, object, deleted }).toEqual({ id: made.id, object: "customer", deleted: true });
  expect(await refusal(customers.update(made.id, { name: "Bob" }))).toMatchObject({
    statusCode: 404,
    code: "resource_missing",
  });
});

test("lists come in pages, newest first", async () => {
  await using fake = await startFake();
  const { customers } = fake.stripe;
  const ids: string[] = [];
  for (let number = 1; number <= 5; number++)
    ids.unshift((await customers.create({ email: `p${number}@example.com` })).id);
  const first = await customers.list({ limit: 2 });
  expect(first).toMatchObject({ has_more: true, url: "/v1/customers" });
  expect(first.data.map((customer) => customer.id)).toEqual(ids.slice(0, 2));
  const last = await customers.list({ limit: 3, starting_after: ids[1] ?? "" });
  expect(last.has_more).toBe(false);
  expect(last.data.map((customer) => customer.id)).toEqual(ids.slice(2));
  const before = await customers.list({ limit: 2, ending_before: ids[3] ?? "" });
  expect(before.data.map((customer) => customer.id)).toEqual(ids.slice(1, 3));
  const all = await customers.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
  expect(all.map((customer) => customer.id)).toEqual(ids);
});

test("the catalogue holds what the site sells", async () => {
  await using fake = await startFake();
  const listed = await fake.stripe.prices.list({
    lookup_keys: ["basic", "pro", "monthly", "yearly"],
    expand: ["data.product"],
  });
  const shown = listed.data.map(({ id, lookup_key, unit_amount, recurring, product }) => [
    lookup_key,
    id,
    unit_amount,
    recurring?.interval,
    typeof product === "object" && !product.deleted ? product.name : product,
  ]);
  expect(shown.toSorted()).toEqual([
    ["basic", prices.basic, 10999, "month", "Basic"],
    ["monthly", prices.monthly, 10999, "month", "Basic"],
    ["pro", prices.pro, 99999, "year", "Pro"],
    ["yearly", prices.yearly, 99900, "year", "Pro"],
  ]);
});

test("a lookup key moves to another price only when that is asked for", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const product = await stripe.products.create({ name: "Basic again" });
  const terms = {
    product: product.id,
    currency: "usd",
    unit_amount: 500,
    recurring: { interval: "month" },
    lookup_key: "basic",
  } as const;
  expect(await refusal(stripe.prices.create(terms))).toMatchObject({ statusCode: 400 });
  const price = await stripe.prices.create({ ...terms, transfer_lookup_key: true });
  expect(String(price.unit_amount_decimal)).toBe("500");
  expect((await stripe.prices.retrieve(prices.basic)).lookup_key).toBeNull();
});

test("wrong requests get Stripe's errors and do nothing", async () => {
  await using fake = await startFake();
  const { stripe, url } = fake;
  const unknownParameter = { email: "ann@example.com", nickname: "Ann" };
  expect(await refusal(stripe.customers.create(unknownParameter))).toMatchObject({
    type: "StripeInvalidRequestError",
    statusCode: 400,
    code: "parameter_unknown",
    param: "nickname",
    message: "Received unknown parameter: nickname",
  });
  expect(await refusal(openCheckout(fake, { line_items: undefined }))).toMatchObject({
    statusCode: 400,
    code: "parameter_missing",
    param: "line_items",
  });
  expect(await refusal(openCheckout(fake, { success_url: "success" }))).toMatchObject({
    code: "url_invalid",
    param: "success_url",
  });
  const noPrice = openCheckout(fake, { line_items: [{ price: "price_no", quantity: 1 }] });
  expect(await refusal(noPrice)).toMatchObject({
    statusCode: 400,
    code: "resource_missing",
    param: "line_items[0][price]",
  });
  expect(await refusal(stripe.subscriptions.retrieve("sub_no"))).toMatchObject({
    statusCode: 404,
    code: "resource_missing",
  });
  expect(await refusal(stripe.subscriptions.list({ customer: "cus_no" }))).toMatchObject({
    statusCode: 400,
    param: "customer",
  });
  for (const field of ["nothing", "id", "currency"])
    expect(await refusal(stripe.prices.list({ expand: [`data.${field}`] }))).toMatchObject({
      statusCode: 400,
      param: "expand",
    });
  const nowhere = await fetch(`${url}/v1/nowhere`, {
    headers: { authorization: `Bearer ${secretKey}` },
  });
  expect(nowhere.status).toBe(404);
  expect(await nowhere.json()).toMatchObject({ error: { type: "invalid_request_error" } });
  expect(await eventTypes(fake)).toEqual([]);
});

test("an idempotency key replays the same request and refuses another", async () => {
  await using fake = await startFake();
  const { customers } = fake.stripe;
  const key = { idempotencyKey: "one-customer" };
  const made = await customers.create({ email: "ann@example.com" }, key);
  const again = await customers.create({ email: "ann@example.com" }, key);
  expect(again.id).toBe(made.id);
  expect(again.lastResponse.headers["idempotent-replayed"]).toBe("true");
  expect(again.lastResponse.headers["original-request"]).toBe(made.lastResponse.requestId);
  expect(await refusal(customers.create({ email: "bob@example.com" }, key))).toMatchObject({
    type: "StripeIdempotencyError",
    statusCode: 400,
  });
  const many = await Promise.all(
    Array.from({ length: 5 }, () =>
      customers.create({ email: "cid@example.com" }, { idempotencyKey: "at-once" }),
    ),
  );
  expect(new Set(many.map((customer) => customer.id)).size).toBe(1);
  expect((await customers.list()).data).toHaveLength(2);
  const requests =
    await fake.control<{ path: string; idempotencyKey: string; status: number }[]>("requests");
  expect(requests[0]).toMatchObject({
    path: "/v1/customers",
    params: { email: "ann@example.com" },
    idempotencyKey: "one-customer",
    status: 200,
  });
});

test("a key that another request is using is refused with 409, and replayed when that has ended", async () => {
  await using fake = await startFake();
  const { customers } = fake.stripe;
  const create = () => customers.create({}, { idempotencyKey: "in-use" });
  await fake.control("faults", { mode: "hold", match: "/v1/customers" });
  const first = create();
  await pollUntil(
    () => fake.control<unknown[]>("requests"),
    ({ length }) => length === 1,
  );
  const refused = await refusal(create());
  expect(refused).toMatchObject({ statusCode: 409, code: "idempotency_key_in_use" });
  expect(refused.rawType).toBe("idempotency_error");
  await fake.control("faults", { mode: "none" });
  const { id } = await first;
  expect((await create()).id).toBe(id);
  expect((await customers.list()).data).toHaveLength(1);
});

test("a request whose parameters are wrong leaves its idempotency key free", async () => {
  await using fake = await startFake();
  const { customers } = fake.stripe;
  const key = { idempotencyKey: "second-try" };
  await refusal(customers.create({ tax_exempt: "maybe" } as object, key));
  expect((await customers.create({ email: "ann@example.com" }, key)).email).toBe("ann@example.com");
});

test("how payment methods are chosen depends on the API version, as in Stripe's changelog", async () => {
  await using fake = await startFake();
  const open = (name: string, version?: string) =>
    fetch(`${fake.url}/v1/checkout/sessions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(version ? { "stripe-version": version } : {}),
      },
      body: new URLSearchParams({
        mode: "subscription",
        "line_items[0][price]": prices.basic,
        [`${name}[0]`]: "card",
        success_url: returns.success_url,
      }),
    });
  for (const version of [undefined, "2026-09-30.endive", "2026-10-28.endive"]) {
    const refused = await open("payment_method_types", version);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { code: "parameter_unknown", param: "payment_method_types" },
    });
    expect((await open("allowed_payment_method_types", version)).status).toBe(200);
  }
  expect((await open("payment_method_types", "2026-08-26.dahlia")).status).toBe(200);
  expect((await open("allowed_payment_method_types", "2026-08-26.dahlia")).status).toBe(400);
});

test("a checkout that collects tax from a known customer must keep what it collects", async () => {
  await using fake = await startFake();
  const { id: customer } = await fake.stripe.customers.create({ email: "ann@example.com" });
  const taxed = { automatic_tax: { enabled: true } };
  const numbered = { tax_id_collection: { enabled: true } };
  expect(await refusal(openCheckout(fake, { customer, ...taxed }))).toMatchObject({
    code: "customer_tax_location_invalid",
    message: expect.stringContaining("customer_update[address]"),
  });
  expect((await refusal(openCheckout(fake, { customer, ...numbered }))).message).toContain(
    "`customer_update[name]` to `auto`",
  );
  const guest = { customer_update: { address: "auto" as const } };
  expect((await refusal(openCheckout(fake, guest))).message).toContain("with `customer`");
  const session = await openCheckout(fake, {
    ...taxed,
    ...numbered,
    customer,
    customer_update: { address: "auto", name: "auto" },
    adaptive_pricing: { enabled: false },
    billing_address_collection: "required",
    consent_collection: { terms_of_service: "required" },
  });
  expect(session).toMatchObject({
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: true, status: "requires_location_inputs" },
    billing_address_collection: "required",
    consent_collection: { terms_of_service: "required" },
    tax_id_collection: { enabled: true, required: "never" },
  });
});

test("a price that is charged in another currency than the checkout's is refused", async () => {
  await using fake = await startFake();
  expect((await openCheckout(fake, { currency: "usd" })).currency).toBe("usd");
  const refused = await refusal(openCheckout(fake, { currency: "eur" }));
  expect(refused.message).toContain("only supports `usd`");
});

test("whether a price includes tax is said once and never changed", async () => {
  await using fake = await startFake();
  const { prices: priceList } = fake.stripe;
  const set = (tax_behavior: "inclusive" | "exclusive") =>
    priceList.update(prices.basic, { tax_behavior });
  expect((await set("inclusive")).tax_behavior).toBe("inclusive");
  expect((await set("inclusive")).tax_behavior).toBe("inclusive");
  expect(await refusal(set("exclusive"))).toMatchObject({ statusCode: 400, param: "tax_behavior" });
});
