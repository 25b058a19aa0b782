import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Difference } from "../../real/stripe/overlay.ts";
import { groupAt, propertyShape, type Shape, sdkCalls } from "../../real/stripe/sdk-types.ts";

const differences: Difference[] = readFileSync("test/real/stripe/overlay.jsonl", "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

/** What a property is in the SDK's types; undefined where they do not have it. */
function declared({ place, property }: Difference) {
  const group = groupAt(place);
  const found = group.properties.get(property);
  return found && { optional: found.optional, shape: propertyShape(group, found) };
}

/** Also those of a list's elements. */
function valuesOf({ literals, lists }: Shape): string[] {
  return [...literals, ...lists.flatMap(valuesOf)];
}

function agrees(difference: Difference): boolean {
  const found = declared(difference);
  if (difference.change === "removed") return !found;
  if (!found) return false;
  const values = valuesOf(found.shape);
  switch (difference.change) {
    case "added":
    case "kind":
      return true;
    case "required":
      return !found.optional;
    case "optional":
      return found.optional;
    case "nullable":
      return found.shape.nullable;
    case "never null":
      return !found.shape.nullable;
    case "values": {
      const { added = [], removed = [] } = difference;
      return (
        added.every((value) => values.includes(value)) &&
        !removed.some((value) => values.includes(value))
      );
    }
  }
}

test("what is laid over Stripe's description is what the SDK's types say at the place it names", () => {
  expect(differences.length).toBeGreaterThan(50);
  expect(differences.filter((each) => !agrees(each))).toEqual([]);
});

test("the overlay knows what we depend on and stripe-mock's description does not have", () => {
  const session = "resources/Checkout/Sessions.d.ts Checkout.SessionCreateParams";
  const named = (property: string, change: Difference["change"]) => ({
    place: session,
    property,
    change,
  });
  expect(differences).toContainEqual(named("allowed_payment_method_types", "added"));
  expect(differences).toContainEqual(named("payment_method_types", "removed"));
});

test("a name, a value or a kind that the SDK does not have is seen", () => {
  const place = "resources/Checkout/Sessions.d.ts Checkout.SessionCreateParams";
  const wrong: Difference[] = [
    { place, property: "plan", change: "added" },
    { place, property: "line_items", change: "removed" },
    { place, property: "line_items", change: "required" },
    { place, property: "locale", change: "values", added: ["klingon"] },
    { place, property: "locale", change: "values", removed: ["de"] },
  ];
  expect(wrong.filter(agrees)).toEqual([]);
});

test("the types are read whole: every call, what it takes and what it answers", () => {
  const calls = sdkCalls();
  expect(calls.length).toBeGreaterThan(500);
  const update = calls.find(
    ({ method, path }) => method === "POST" && path === "/v1/subscriptions/{}",
  );
  const [params] = update?.params?.groups ?? [];
  const [answer] = update?.answer.groups ?? [];
  expect(params?.name).toBe("SubscriptionUpdateParams");
  expect([...(params?.properties.keys() ?? [])]).toEqual(
    expect.arrayContaining(["items", "payment_behavior", "proration_behavior", "proration_date"]),
  );
  expect(answer?.properties.get("pending_update")).toEqual({
    optional: false,
    type: "Subscription.PendingUpdate | null",
  });
});
