import { machineOf, regionOf } from "../bundle/options/derived-options.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { deploymentOptions } from "../bundle/options/table/deployment.ts";
import { providers } from "../bundle/provider-table.ts";
import { isRegionId, type MachineChoice, type ProviderId } from "../bundle/providers.ts";

export function providerWords(provider: ProviderId): string {
  return providers[provider].label;
}

/**
 * Where the machine stands, as people and as its provider call it: "Ireland (eu-west-1)". Of a region that the
 * customer wrote we know the provider's name alone, and of a machine of their own not even that.
 */
export function regionWords(choice: Pick<MachineChoice, "provider" | "region">): string {
  const { provider, region } = choice;
  if (provider === "other") return "";
  const name = regionOf(choice);
  return isRegionId(region) ? `${providers[provider].places[region]} (${name})` : name;
}

/** The size with the provider's machine for it: "Medium (c7i.xlarge, 4 vCPU)". */
export function sizeWords(choice: Omit<MachineChoice, "region">): string {
  const { name, cores } = machineOf(choice);
  const { label } = labelled(deploymentOptions.size.questions[0].choices, choice.size);
  return `${label} (${[name, `${cores} vCPU`].filter(Boolean).join(", ")})`;
}

/** Where and what the machine is, in parts for one line; what is usual is left out. */
export function machineWords(options: DeploymentOptions): string[] {
  const { provider, system, architecture } = options;
  const { choices } = deploymentOptions.system.questions[0];
  return [
    providerWords(provider),
    regionWords(options),
    sizeWords(options),
    labelled(choices, system).label,
    topologyWords(options),
    architecture === "arm64" ? "ARM" : "",
  ].filter(Boolean);
}

function topologyWords({ topology }: DeploymentOptions): string {
  if (topology.kind === "single") return "";
  const { kind, machines, egress } = topology;
  const count =
    kind === "cluster"
      ? `${machines} machines and an edge`
      : `${machines} machines behind a balancer`;
  return egress === 0 ? count : `${count}, ${egress} for recording`;
}

function labelled(choices: readonly { value: string; label: string }[], value: string) {
  return choices.find((choice) => choice.value === value) ?? { label: value };
}
