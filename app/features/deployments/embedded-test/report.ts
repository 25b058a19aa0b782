import type { StoredResult } from "../connection-test/result";
import { verdictOf } from "../connection-test/verdict";
import type { TestedServer } from "../test-room/tested-server";

/** The result of an embedded test as the customer's webhook gets it. */
export type ConnectionTestReport = {
  deployment: { id: string; name: string };
  domain: string;
  /** Which embedded test, by its id and label. */
  embed: { id: string; label: string };
  /** The customer's own mark of whom the test was for, as their page gave it to the frame. */
  reference: string | null;
  grade: "good" | "limited" | "failed";
  confidence: "certain" | "likely" | "unknown";
  title: string;
  in_that_network: readonly string[];
  on_the_server: readonly string[];
  result: StoredResult;
};

/** A result with what it means. A stranger's browser made it, so that a receiver must not take it for proven. */
export function reportOf(
  found: Pick<ConnectionTestReport, "deployment" | "embed"> & { server: TestedServer },
  stored: StoredResult,
  reference: string | undefined,
): ConnectionTestReport {
  const { outside, ...result } = stored;
  const { grade, confidence, title, tester, owner } = verdictOf(result, {
    ...found.server,
    outside,
  });
  return {
    deployment: found.deployment,
    domain: found.server.domain,
    embed: found.embed,
    reference: reference ?? null,
    ...{ grade, confidence, title, in_that_network: tester, on_the_server: owner },
    result: stored,
  };
}
