import proofTexts from "~/content/proof.json?url&no-inline";
import runRecord from "~/content/runs.json?url&no-inline";
import type { AppContext } from "~/http/app-context";
import { pageTexts } from "~/http/assets.server";
import { log } from "~/platform/log/log.server";
import { type ProofSection, type ProofTexts, proofSections } from "./figures";
import { verifiedRuns } from "./run";

const words = pageTexts<ProofTexts>(proofTexts, "This page");
const record = pageTexts<Record<string, unknown>>(runRecord, "This page");

/** The sections of /proof. A run whose record was altered is not shown. */
export async function shownProof(
  context: Pick<AppContext, "bindings">,
): Promise<readonly ProofSection[]> {
  const { runs, altered } = await verifiedRuns(await record(context));
  if (altered.length > 0)
    log.error("The record of a run does not fit its seal", { runs: altered.join(" ") });
  return proofSections(await words(context), runs);
}
