import { hasFamily, machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import type { Commands } from "./rules.ts";
import { providerRulesOf } from "./rules.ts";

/** Vultr refers to everything by an id, which is looked up by name in its lists. A rule is found by its note. */
export function vultrCommands(options: DeploymentOptions): Commands {
  const dual = hasFamily(options, "ipv6");
  const rules = providerRulesOf(options).flatMap(({ protocol, first, last, sources }) =>
    sources.map((source) => {
      const [network = "", bits = ""] = source.split("/");
      const ports = first === last ? String(first) : `${first}:${last}`;
      return `allow ${protocol} ${ports} ${source.includes(":") ? "v6" : "v4"} ${network} ${bits}\n`;
    }),
  );
  return {
    source: "create-vm/vultr.sh",
    values: {
      RULES: rules.join(""),
      IMAGE: machineOf(options).ubuntu,
      IPV6_FLAGS: dual ? " --ipv6" : "",
    },
  };
}
