import { machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import type { Commands } from "./rules.ts";
import { providerRulesOf } from "./rules.ts";

/** OVHcloud runs OpenStack. In its network Ext-Net the machine itself has the public address, until it is deleted. */
export function ovhCommands(options: DeploymentOptions): Commands {
  const rules = providerRulesOf(options).flatMap(({ protocol, first, last, sources }) =>
    sources.map((source) => `allow ${protocol} ${first}:${last} ${source}\n`),
  );
  return {
    source: "create-vm/ovh.sh",
    values: { RULES: rules.join(""), IMAGE: machineOf(options).ubuntu },
  };
}
