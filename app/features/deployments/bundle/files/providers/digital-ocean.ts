import { machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import type { Commands } from "./rules.ts";
import { providerRulesOf, rangeOf } from "./rules.ts";

/** The firewall is bound to a tag, so it protects the droplet from its creation on. */
export function digitalOceanCommands(options: DeploymentOptions): Commands {
  const dual = options.addresses === "dual";
  const rules = providerRulesOf(options)
    .map(
      (rule) =>
        `protocol:${rule.protocol},ports:${rangeOf(rule)},${rule.sources.map((source) => `address:${source}`).join(",")}`,
    )
    .join(" \\\n");
  return {
    source: "create-vm/digital-ocean.sh",
    values: {
      RULES: rules,
      IMAGE: machineOf(options).ubuntu,
      IPV6_FLAGS: dual ? " --enable-ipv6" : "",
    },
  };
}
