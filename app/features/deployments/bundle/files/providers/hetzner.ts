import { hasFamily, machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import type { Commands } from "./rules.ts";
import { providerRulesOf, rangeOf } from "./rules.ts";

/** Hetzner's firewall accepts 50 rules, so both address families of a port share one rule. */
function rulesOf(options: DeploymentOptions): string {
  const byPort = new Map<string, string[]>();
  for (const rule of providerRulesOf(options)) {
    const port = `"protocol":"${rule.protocol}","port":"${rangeOf(rule)}"`;
    byPort.set(port, [...(byPort.get(port) ?? []), ...rule.sources]);
  }
  return [...byPort]
    .map(([port, sources]) => {
      const list = [...new Set(sources)].map((source) => `"${source}"`).join(",");
      return `{"direction":"in",${port},"source_ips":[${list}]}`;
    })
    .join(",\n");
}

/** The addresses stay when the machine is deleted. The firewall protects the machine from its creation on. */
export function hetznerCommands(options: DeploymentOptions): Commands {
  return {
    source: "create-vm/hetzner.sh",
    values: {
      RULES: rulesOf(options),
      IMAGE: machineOf(options).ubuntu,
      ADDRESS_FLAGS: `${hasFamily(options, "ipv4") ? '--primary-ipv4 "$NAME"' : "--without-ipv4"} ${hasFamily(options, "ipv6") ? '--primary-ipv6 "$NAME-6"' : "--without-ipv6"}`,
    },
  };
}
