import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Rule } from "../../../fakes/stripe/rules/rule.ts";
import { rules } from "../../../fakes/stripe/rules/rules.ts";

test("the operator reads which rules of the fake nobody has confirmed at Stripe", () => {
  const [, section = ""] =
    /\n### Check Stripe itself\n([\s\S]*?)\n## /.exec(readFileSync("docs/operations.md", "utf8")) ??
    [];
  const listed = [...section.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)].map(
    ([, name, condition]) => [name, condition],
  );
  const unconfirmed = Object.entries<Rule>(rules).flatMap(([name, { condition, evidence }]) =>
    evidence === "unconfirmed" ? [[name, condition]] : [],
  );
  expect(listed).toEqual(unconfirmed);
});
