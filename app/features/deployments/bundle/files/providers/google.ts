import { backsUpByRole, machineOf, usesInstanceRole } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import type { Commands } from "./rules.ts";
import { providerRulesOf, rangeOf } from "./rules.ts";

/** The deployment has its own network: the default one lets everybody in by SSH and RDP, and has no IPv6. */
export function googleCommands(options: DeploymentOptions): Commands {
  const dual = options.addresses === "dual";
  const role = usesInstanceRole(options) || backsUpByRole(options);
  const arm = options.architecture === "arm64";
  const bySources = new Map<string, string[]>();
  for (const rule of providerRulesOf(options)) {
    const sources = rule.sources.join(",");
    bySources.set(sources, [
      ...(bySources.get(sources) ?? []),
      `${rule.protocol}:${rangeOf(rule)}`,
    ]);
  }
  const rules = [...bySources].map(
    ([sources, allowed], index) => `allow ${index + 1} ${allowed.join(",")} ${sources}\n`,
  );
  return {
    source: "create-vm/google-cloud.sh",
    values: {
      ROLE: role,
      SUBNET_IPV6: dual ? " \\\n    --stack-type=IPV4_IPV6 --ipv6-access-type=EXTERNAL" : "",
      RULES: rules.join(""),
      IMAGE: machineOf(options).ubuntu,
      DISK_TYPE: arm ? "hyperdisk-balanced" : "pd-balanced --shielded-secure-boot",
      IPV6_FLAGS: dual ? " --stack-type=IPV4_IPV6" : "",
      ROLE_FLAGS: role
        ? '--service-account="$SERVICE_ACCOUNT" --scopes=cloud-platform'
        : "--no-service-account --no-scopes",
    },
  };
}
