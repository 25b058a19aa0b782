import { type ActionFunctionArgs, RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import {
  type Decision,
  guarded,
  principalIfAny,
  principalOf,
  setDecision,
} from "~/access/guarded-action.server";
import type { Principal } from "~/auth/principal.server";

const ada = { user: { id: "ada", email: "ada@example.com", emailVerified: true } } as Principal;
const refusal = {
  why: "too-often",
  status: 429,
  message: "Too many attempts.",
} as const;

/** One post to an action that notes what it does. */
function post(decision: Decision | undefined) {
  const context = new RouterContextProvider();
  if (decision) setDecision(context, decision);
  const effects: string[] = [];
  const action = guarded({
    refused: ({ message }) => message,
    allowed({ context }: ActionFunctionArgs) {
      effects.push(principalIfAny(context)?.user.id ?? "somebody");
      return "done";
    },
  });
  const request = new Request("https://site.example/", { method: "POST" });
  const run = () => action({ request, context, params: {} } as unknown as ActionFunctionArgs);
  return { context, effects, run };
}

test("what the guard allowed is done, in the name of whom it identified", () => {
  const { effects, run } = post({ allowed: true, principal: ada });
  expect([run(), effects]).toEqual(["done", ["ada"]]);
});

test("what the guard refused is answered by `refused`, and `allowed` is not called", () => {
  const { effects, run } = post({ allowed: false, refusal });
  expect([run(), effects]).toEqual(["Too many attempts.", []]);
});

test("an action that no guard has decided about fails, and does nothing", () => {
  const { effects, run } = post(undefined);
  expect(run).toThrow();
  expect(effects).toEqual([]);
});

test("nobody is the principal of a refused post, nor of one whose rule identifies nobody", () => {
  const refused = post({ allowed: false, refusal }).context;
  expect(() => principalOf(refused)).toThrow("A refused action");
  expect(() => principalIfAny(refused)).toThrow("A refused action");
  const unidentified = post({ allowed: true }).context;
  expect(() => principalOf(unidentified)).toThrow("Nobody was identified");
  expect(principalIfAny(unidentified)).toBeUndefined();
});
