import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hclString } from "~/features/deployments/bundle/quoting.ts";
import { hostileStrings } from "../../../support/deployments/hostile-strings.ts";
import {
  blocksOf,
  isExpression,
  literal,
  readHcl,
} from "../../../support/deployments/terraform/hcl.ts";
import { amount } from "../../../support/run/variants.ts";

test("any text is the same text in Terraform's language, and nothing in it is evaluated", async () => {
  const same = async (text: string) => {
    const { locals } = await readHcl(`locals {\n  a = ${hclString(text)}\n}\n`);
    const [{ a = "" } = {}] = blocksOf(locals);
    expect(literal(String(a))).toBe(text);
    expect(isExpression(String(a))).toBe(false);
  };
  for (const text of [
    ...hostileStrings,
    "$${a}",
    "%%{a}",
    "a$",
    "%{ if true }b%{ endif }",
    "\b\f\u0001",
  ])
    await same(text);
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom("$", "%", "{", "}", '"', "\\", "\n", "a") }),
      same,
    ),
    { numRuns: amount({ inTest: 50, inProof: 500 }) },
  );
});
