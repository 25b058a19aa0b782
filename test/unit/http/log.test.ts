import { AuthApiError, PostgrestError } from "@supabase/supabase-js";
import Stripe from "stripe";
import { expect, test, vi } from "vitest";
import { describeError, log, routeOf, withRequestId } from "~/platform/log/log.server";

const row = {
  details: "Key (email)=(ada@example.com) already exists.",
  hint: "Ask ada@example.com",
};

test("a database error is logged with its code, and nothing of the row", () => {
  const message = 'duplicate key value violates unique constraint "customers_pkey"';
  const fields = { detail: message, code: "23505" };
  expect(describeError({ code: "23505", message, ...row })).toMatchObject({
    error: "DatabaseError",
    ...fields,
  });
  expect(describeError(new PostgrestError({ code: "23505", message, ...row }))).toMatchObject({
    error: "PostgrestError",
    ...fields,
  });
  expect(JSON.stringify(describeError({ code: "23505", message, ...row }))).not.toContain("ada");
});

test("addresses in a message are cut, and long ones end", () => {
  const { detail } = describeError(new Error(`No mail to ada@example.com ${"x".repeat(1_000)}`));
  expect(detail).toContain("No mail to (an address)");
  expect(String(detail).length).toBeLessThan(320);
});

test.each([
  [
    'invalid input syntax for type uuid: "ada" or a "second" quote"',
    "invalid input syntax for type uuid: (a value)",
  ],
  ['value "17 Acacia Road" is out of range', "value (a value) is out of range"],
  [
    "Key (email, name)=(ada@example.com, Ada (the first)) already exists.",
    "Key (email, name)=(a value)",
  ],
  [
    'new row violates check constraint "young": Failing row contains (1, Ada, f).',
    'new row violates check constraint "young": Failing row contains (values)',
  ],
  [
    'column "size" of relation "pets" does not exist',
    'column "size" of relation "pets" does not exist',
  ],
])("of the database's %j no value is logged, and every name of ours", (message, detail) => {
  for (const error of [
    { code: "22P02", message },
    new PostgrestError({ code: "22P02", message, details: "", hint: "" }),
    { ...new Error("x"), name: "Error", code: "PGRST204", message },
  ]) {
    expect(describeError(error)).toMatchObject({ detail });
  }
});

test("a value that goes on beyond what is read is left out, too", () => {
  const message = `time zone "${"Ada ".repeat(1_000)}" not recognized`;
  expect(describeError({ code: "22023", message })).toMatchObject({
    detail: "time zone (a value)",
  });
});

test.each([
  ["To +4917012345678: refused", "To (a number): refused"],
  ["To +49 (170) 123-45 678: refused", "To (a number): refused"],
  ["GET /to/%2B4917012345678/1", "GET /to/(a number)/1"],
  ["GET /send/ada%40example.com", "GET (an address)"],
  [
    "GET https://a.example/auth?token_hash=1f2e3d&type=email: 403",
    "GET https://a.example/auth?(a query) 403",
  ],
  ["Bearer c2VjcmV0LXRva2Vu was refused", "(a token) was refused"],
  ["Invalid API Key provided: sk_live_4eC39HqLyjWDarjt", "Invalid API Key provided: (a token)"],
  ["JWT eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJl has expired", "JWT (a token) has expired"],
  [`No row for ${"0a1B-_".repeat(8)}`, "No row for (a token)"],
  ["No user 0b9e1c3e-8d0e-4a41-9d3c-1a2b3c4d5e6f", "No user 0b9e1c3e-8d0e-4a41-9d3c-1a2b3c4d5e6f"],
  ["No such customer: 'cus_12345678901'", "No such customer: 'cus_12345678901'"],
  ["Waited 1732276496000 ms, +5 tries", "Waited 1732276496000 ms, +5 tries"],
])("nobody's number or address is logged of %j, ids and counts are", (message, detail) => {
  expect(describeError(new Error(message))).toMatchObject({ detail });
});

test.each([
  [null, "null"],
  [undefined, "undefined"],
  ["text", "string"],
  [7, "number"],
])("%s is no error, and says so", (thrown, error) => {
  expect(describeError(thrown)).toEqual({ error });
});

test.each([
  ["/signin", "/signin"],
  ["/signin.data?next=/ada@example.com", "/signin.data"],
  ["/", "/"],
  [
    "/dashboard/deployments/0b9e1c3e-8d0e-4a41-9d3c-1a2b3c4d5e6f/edit",
    "/dashboard/deployments/:id/edit",
  ],
  ["/ada@example.com", "/:id"],
  ["/dashboard/w/blue-team/billing", "/dashboard/w/:id/billing"],
  ["/a/b/c/d/e/f/g", "/a/b/c/d/e"],
])("the route of %s is logged as %s", (path, route) => {
  expect(routeOf(new Request(`https://example.com${path}`))).toBe(route);
});

test("the stack of an error is logged without its message, names of people and queries", () => {
  const error = new Error("No mail to ada@example.com\n    at secret (token:1:1)");
  error.stack = [
    `Error: ${error.message}`,
    "    at ada@example.com (index.js:1:2)",
    "    at async load (https://site.example/build/server/assets/a-B_1.js?token_hash=1f2e3d:3:45)",
    "    at Object.<anonymous> (/home/ada/site/build/server/index.js:6:7)",
    "    at C:\\Users\\Ada\\index.js:8:9",
    "    at eval (ada-lovelace:10:11)",
    "    at async Promise.all (index 0)",
  ].join("\n");
  const { stack } = describeError(error);
  expect(stack).toBe(
    [
      "at index.js:1:2",
      "at async load (assets/a-B_1.js:3:45)",
      "at Object.<anonymous> (index.js:6:7)",
      "at unknown:8:9",
      "at eval (unknown:10:11)",
    ].join("\n"),
  );
});

test("a database error is logged with its hint, and nothing that it quotes", () => {
  const hint =
    "Perhaps you meant the table 'public.customers', or \"Ada Lovelace\" <ada@example.com>";
  const described = describeError({ code: "PGRST205", message: "Could not find it", hint });
  expect(described).toMatchObject({ code: "PGRST205", error: "DatabaseError" });
  expect(described.hint).toContain("Perhaps you meant the table 'public.customers'");
  expect(JSON.stringify(described)).not.toMatch(/ada/i);
});

test("an error of Stripe's is logged with its type, code, status and Stripe's own id of the call", () => {
  const error = new Stripe.errors.StripeInvalidRequestError({
    type: "invalid_request_error",
    code: "resource_missing",
    message: "No such customer: 'cus_1'",
    requestId: "req_1234567890",
    statusCode: 404,
  });
  expect(describeError(error)).toMatchObject({
    type: "StripeInvalidRequestError",
    code: "resource_missing",
    status: 404,
    providerRequestId: "req_1234567890",
  });
});

test("an error of the auth server is logged with its code and status", () => {
  const error = new AuthApiError("User not found", 404, "user_not_found");
  expect(describeError(error)).toMatchObject({
    error: "AuthApiError",
    code: "user_not_found",
    status: 404,
  });
});

test("each line of a request has its id, also one that is written later", async () => {
  const written = vi.spyOn(console, "warn").mockImplementation(() => {});
  try {
    const later = (id: string) => withRequestId(id, async () => log.warn(await id));
    await Promise.all([later("first"), later("second")]);
    log.warn("of no request");
    const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines).toEqual([
      { level: "warn", message: "first", requestId: "first" },
      { level: "warn", message: "second", requestId: "second" },
      { level: "warn", message: "of no request" },
    ]);
  } finally {
    written.mockRestore();
  }
});
