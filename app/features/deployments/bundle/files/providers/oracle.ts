import { contentHash } from "../../content-hash.ts";
import { hasFamily, machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providers } from "../../provider-table.ts";
import type { Commands } from "./rules.ts";
import { providerRulesOf } from "./rules.ts";

/** The only security list of the network. It replaces Oracle's default list, which lets everybody in by SSH. */
function rulesOf(options: DeploymentOptions): string {
  return providerRulesOf(options)
    .flatMap(({ protocol, first, last, sources }) =>
      sources.map((source) => {
        const [number, name] = protocol === "tcp" ? ["6", "tcp"] : ["17", "udp"];
        return `{"protocol":"${number}","source":"${source}","${name}Options":{"destinationPortRange":{"min":${first},"max":${last}}}}`;
      }),
    )
    .join(",\n");
}

/** The bucket for user data of this deployment. */
export function oracleBucket({ domain }: DeploymentOptions): string {
  return `livekit-${contentHash(domain)}`;
}

/** The deployment has its own network with its own rules. Two virtual cores are one OCPU of Intel's or AMD's. */
export function oracleCommands(options: DeploymentOptions): Commands {
  const dual = hasFamily(options, "ipv6");
  const { cores } = machineOf(options);
  const ocpus = options.architecture === "arm64" ? cores : cores / 2;
  const route = (to: string) =>
    `{"destination":"${to}","destinationType":"CIDR_BLOCK","networkEntityId":"'"$gateway"'"}`;
  const out = (to: string) => `{"destination":"${to}","protocol":"all"}`;
  return {
    source: "create-vm/oracle.sh",
    values: {
      NETWORK_IPV6: dual ? " --is-ipv6-enabled true" : "",
      ROUTES: [route("0.0.0.0/0"), ...(dual ? [route("::/0")] : [])].join(","),
      EGRESS_RULES: [out("0.0.0.0/0"), ...(dual ? [out("::/0")] : [])].join(","),
      RULES: rulesOf(options),
      SUBNET_IPV6: dual ? ` --ipv6-cidr-block "\${block%/*}/64"` : "",
      LIMIT: String(providers.oracle.userDataLimit),
      BUCKET: oracleBucket(options),
      OCPUS: String(ocpus),
      MEMORY: String(cores * 2),
      IPV6_FLAGS: dual ? " --assign-ipv6-ip true" : "",
    },
  };
}
