import { backsUpByRole, machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import type { Commands } from "./rules.ts";
import { providerRulesOf, rangeOf } from "./rules.ts";

/** `create` updates each of these resources when it exists, except the machine, which is therefore looked for first. */
export function azureCommands(options: DeploymentOptions): Commands {
  const dual = options.addresses === "dual";
  const rules = providerRulesOf(options).map(
    (rule, index) =>
      `allow ${1000 + index * 10} ${rule.protocol === "tcp" ? "Tcp" : "Udp"} ${rangeOf(rule)} ${rule.sources.join(" ")}\n`,
  );
  return {
    source: "create-vm/azure.sh",
    values: {
      RULES: rules.join(""),
      NETWORK_IPV6: dual ? " fd00:4c4b::/48" : "",
      SUBNET_IPV6: dual ? " fd00:4c4b::/64" : "",
      IMAGE: machineOf(options).ubuntu,
      ROLE_FLAGS: backsUpByRole(options) ? " --assign-identity" : "",
    },
  };
}
