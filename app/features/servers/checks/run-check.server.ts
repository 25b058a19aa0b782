import { type CheckTarget, type RungResult, rungs } from "~/features/deployments/checks/check";
import { climb } from "~/features/deployments/checks/ladder";
import { internetProbes } from "~/features/deployments/checks/probes.server";
import { isPublicAddress } from "~/features/deployments/public-internet";
import { senderSettings } from "../sender-settings.server";
import { isReached } from "../state/probe.server";
import { isHostName } from "../state/server-record";

/**
 * One check of a server from outside. Whatever a person or a machine says of it: nothing but names of the internet and
 * public addresses are asked, and no name of ours. Never throws.
 */
export async function runCheck(env: object, target: CheckTarget): Promise<RungResult[]> {
  const settings = senderSettings(env);
  const addresses = target.addresses.filter(isPublicAddress);
  if (!isHostName(target.domain)) return none("skipped", "Its name is none of the internet.");
  if (addresses.length === 0) return none("skipped", "It has no address of the internet.");
  if (!settings) return none("unknown", "Checks are not set up here.");
  const turn = target.turn && !isHostName(target.turn) ? undefined : target.turn;
  const probes = {
    ...internetProbes(settings, env),
    othersAnswer: () => isReached(settings.PAGERDUTY_API_URL),
  };
  return climb({ ...target, turn, addresses }, probes);
}

const none = (outcome: "skipped" | "unknown", sentence: string): RungResult[] =>
  rungs.map((rung) => ({ rung, outcome, sentence, ms: 0 }));
