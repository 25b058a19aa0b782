import { expect, test } from "vitest";
import { stepIds } from "~/deployments/wizard/steps";
import { readStep, typedOf } from "~/deployments/wizard/typed-options";
import { pairwiseOptions } from "../fixtures/bundle-cases.ts";

test("whatever was chosen, opening a step of the wizard and saving it unchanged changes nothing", () => {
  for (const options of pairwiseOptions(0)) {
    const typed = typedOf("Mine", options);
    for (const step of stepIds)
      expect(readStep(step, typed, options), step).toEqual({ name: "Mine", options });
  }
});
