import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Variables } from "../../../fakes/dev-vars.ts";
import { resetFakes } from "../site/fakes.ts";
import { startTroubledSite, type TroubledSite } from "./troubled-site.ts";

/**
 * One troubled site for the whole file. Before each test both its ways are good and the fakes are
 * empty. Answers how to reach it, from inside a test.
 */
export function oneTroubledSite(own: Variables = {}): () => TroubledSite {
  let site: TroubledSite | undefined;
  beforeAll(async () => {
    site = await startTroubledSite(own);
  });
  afterAll(() => site?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    await resetFakes();
    site?.recover();
  });
  return () => {
    if (!site)
      throw new Error("The troubled site starts before the file's first test, not earlier.");
    return site;
  };
}
