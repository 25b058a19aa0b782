import { PostgrestError } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { describeError, routeOf } from "~/observability/log.server";

const row = {
  details: "Key (email)=(ada@example.com) already exists.",
  hint: "Ask ada@example.com",
};

test("an error of the database tells its code, and nothing of the row", () => {
  const message = 'duplicate key value violates unique constraint "customers_pkey"';
  const told = { detail: message, code: "23505" };
  expect(describeError({ code: "23505", message, ...row })).toMatchObject({
    error: "DatabaseError",
    ...told,
  });
  expect(describeError(new PostgrestError({ code: "23505", message, ...row }))).toMatchObject({
    error: "PostgrestError",
    ...told,
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
])("of the database's %j no value is told, and every name of ours", (message, detail) => {
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
  ["GET /send?to=%2B4917012345678&n=1", "GET /send?to=(a number)&n=1"],
  ["GET /send?to=ada%40example.com", "GET (an address)"],
  ["No such customer: 'cus_12345678901'", "No such customer: 'cus_12345678901'"],
  ["Waited 1732276496000 ms, +5 tries", "Waited 1732276496000 ms, +5 tries"],
])("nobody's number or address is told of %j, ids and counts are", (message, detail) => {
  expect(describeError(new Error(message))).toMatchObject({ detail });
});

test.each([[null], [undefined], ["text"], [7]])("%s is no error, and says so", (thrown) => {
  expect(describeError(thrown)).toEqual({ error: typeof thrown });
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
  ["/a/b/c/d/e/f/g", "/a/b/c/d/e"],
])("the route of %s is told as %s", (path, route) => {
  expect(routeOf(new Request(`https://example.com${path}`))).toBe(route);
});
