import { nodeWords } from "../bundle/machine-commands.ts";
import { balancedOf, clusterOf, severalOf } from "../bundle/options/derived-options.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";

/** What a deployment of several machines says and does in another way than one of a server. */
export type SeveralMachines = {
  /** Where everybody comes in, and DNS leads to. */
  entrance: "edge" | "balancer";
  /** "3 machines for calls, 1 for recording and a smaller one, the edge". */
  words: string;
  network: string;
  /** Which machine shows the API keys. */
  keysAt: string;
  /** Makes them one, once they exist. */
  make: string;
};

export function severalMachines(options: DeploymentOptions): SeveralMachines | undefined {
  const several = severalOf(options);
  if (!several) return;
  const { machines, network } = several;
  const recording = several.egress === 0 ? "" : `, ${several.egress} for recording`;
  const hasEdge = clusterOf(options) !== undefined;
  return {
    entrance: hasEdge ? "edge" : "balancer",
    words: hasEdge
      ? `${machines} machines for calls${recording} and a smaller one, the edge`
      : `${machines} machines that are all alike${recording}, a balancer and a Redis`,
    network,
    keysAt: hasEdge ? "the edge" : "any machine",
    make: makeCommand(options),
  };
}

/** Makes machines one cluster; with the keys of what ran `before` where an edge can take them over. */
export function makeCommand(options: DeploymentOptions, before?: DeploymentOptions): string {
  const nodes = nodeWords(options);
  if (!clusterOf(options)) return `sh cluster.sh make ${nodes}`;
  const from = before ? ` --from ${formerMachine(before)}` : "";
  return `sh cluster.sh make${from} EDGE ${nodes}`;
}

function formerMachine(before: DeploymentOptions): string {
  if (balancedOf(before)) return "OLD-MACHINE";
  return clusterOf(before) ? "OLD-EDGE" : "OLD-SERVER";
}
