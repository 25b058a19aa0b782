import { contentHash } from "../../content-hash.ts";
import { machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import type { Commands } from "./rules.ts";
import { providerRulesOf, rangeOf, resourceName } from "./rules.ts";

/** Linode's firewall accepts 25 rules of at most 15 ports each. A range counts as two ports. */
const portsInRule = 7;

function rulesOf(options: DeploymentOptions): string {
  const bySources = new Map<
    string,
    { protocol: string; sources: readonly string[]; ports: string[] }
  >();
  for (const rule of providerRulesOf(options)) {
    const { protocol, sources } = rule;
    const key = `${protocol} ${sources.join(" ")}`;
    const found = bySources.get(key) ?? { protocol, sources, ports: [] };
    found.ports.push(rangeOf(rule));
    bySources.set(key, found);
  }
  return [...bySources.values()]
    .flatMap(({ protocol, sources, ports }) =>
      Array.from({ length: Math.ceil(ports.length / portsInRule) }, (_, part) => {
        const some = ports.slice(part * portsInRule, (part + 1) * portsInRule).join(",");
        const family = sources.some((source) => source.includes(":")) ? "ipv6" : "ipv4";
        const list = sources.map((source) => `"${source}"`).join(",");
        return `{"action":"ACCEPT","protocol":"${protocol.toUpperCase()}","ports":"${some}","addresses":{"${family}":[${list}]}}`;
      }),
    )
    .join(",\n");
}

/**
 * The addresses are deleted with the machine. Its root password is random and not kept: people log in by SSH key.
 * Linode refuses two hyphens in a row, as punycode has them. Names with hyphens end with a hash, so they still differ.
 */
export function linodeCommands(options: DeploymentOptions): Commands {
  const name = resourceName(options);
  return {
    source: "create-vm/linode.sh",
    values: {
      DOUBLE_HYPHEN: name.includes("--"),
      LINODE_NAME: name.replaceAll(/-{2,}/g, "-"),
      FIREWALL_NAME: `livekit-${contentHash(options.domain)}`,
      RULES: rulesOf(options),
      IMAGE: machineOf(options).ubuntu,
    },
  };
}
