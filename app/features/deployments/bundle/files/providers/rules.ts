import type { Port, Role } from "../../bundle-types.ts";
import { contentHash } from "../../content-hash.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { portsOf } from "../../ports.ts";
import type { ScriptName } from "../../script-texts.ts";
import type { ScriptValues } from "../script-parts.ts";

/** The part of create-vm.sh for one provider, with the values that it needs. */
export type Commands = { source: ScriptName; values: ScriptValues };

/** A rule of a provider's firewall. Its sources are of one address family, because some providers want that. */
export type ProviderRule = {
  protocol: Port["protocol"];
  first: number;
  last: number;
  sources: readonly string[];
};

/** The rules that open the ports of `portsOf` at a provider: all of them, or those of a machine with this role. */
export function providerRulesOf(options: DeploymentOptions, of?: Role): ProviderRule[] {
  return portsOf(options)
    .filter(({ audience }) => audience !== "internal")
    .filter(({ role }) => role === undefined || of === undefined || role === of)
    .flatMap(({ protocol, ports, sources }) => {
      const [first, last = first] = ports.split("-").map(Number);
      return (["ipv4", "ipv6"] as const).flatMap((family) => {
        const ofFamily = sources.filter((source) => source.includes(":") === (family === "ipv6"));
        return ofFamily.length === 0 || first === undefined || last === undefined
          ? []
          : [{ protocol, first, last, sources: ofFamily }];
      });
    });
}

/** The ports of a rule: `443`, or a range such as `50000-60000`. */
export function rangeOf({ first, last }: ProviderRule): string {
  return first === last ? String(first) : `${first}-${last}`;
}

/**
 * The name of a deployment's resources at a provider: the domain with hyphens for its dots. A domain that has hyphens
 * or is long could get the same name as another, so its name ends with a hash.
 */
export function resourceName({ domain }: DeploymentOptions): string {
  const name = `livekit-${domain.replaceAll(".", "-")}`;
  if (!domain.includes("-") && name.length <= 50) return name;
  return `${name.slice(0, 41).replace(/-+$/, "")}-${contentHash(domain).slice(0, 8)}`;
}
