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
