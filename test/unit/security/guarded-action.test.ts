import { type ActionFunctionArgs, RouterContextProvider } from "react-router";
import { describe, expect, test } from "vitest";
import {
  type Decision,
  guarded,
  guardedForVisitors,
  setDecision,
} from "~/features/auth/guard.server";
import type { Principal } from "~/features/auth/session/session.server";

const ada = { user: { id: "ada", email: "ada@example.com", emailVerified: true } } as Principal;
const refusal = {
  why: "too-often",
  status: 429,
  message: "Too many attempts.",
} as const;

/** One post to an action that notes for whom it does something. */
function post(decision: Decision | undefined, make: typeof guarded | typeof guardedForVisitors) {
  const context = new RouterContextProvider();
  if (decision) setDecision(context, decision);
  const effects: string[] = [];
  const action = make({
    refused: ({ message }) => message,
    allowed(_: ActionFunctionArgs, principal: Principal | undefined) {
      effects.push(principal?.user.id ?? "a guest");
      return "done";
    },
  });
  const request = new Request("https://site.example/", { method: "POST" });
  const run = () => action({ request, context, params: {} } as unknown as ActionFunctionArgs);
  return { effects, run };
}

describe.each([
  ["for a person", guarded],
  ["for visitors", guardedForVisitors],
] as const)("of an action %s", (_, make) => {
  test("what the guard allowed is done, in the name of whom it identified", () => {
    const { effects, run } = post({ allowed: true, principal: ada }, make);
    expect([run(), effects]).toEqual(["done", ["ada"]]);
  });

  test("what the guard refused is answered by `refused`, and `allowed` is not called", () => {
    const { effects, run } = post({ allowed: false, refusal }, make);
    expect([run(), effects]).toEqual(["Too many attempts.", []]);
  });

  test("what no guard has decided about fails, and nothing is done", () => {
    const { effects, run } = post(undefined, make);
    expect(run).toThrow();
    expect(effects).toEqual([]);
  });
});

test("an action for a person fails where nobody was identified, and does nothing", () => {
  const { effects, run } = post({ allowed: true }, guarded);
  expect(run).toThrow("Nobody was identified");
  expect(effects).toEqual([]);
});

test("an action for visitors is done for a guest, in nobody's name", () => {
  const { effects, run } = post({ allowed: true }, guardedForVisitors);
  expect([run(), effects]).toEqual(["done", ["a guest"]]);
});
