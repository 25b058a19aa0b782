import type { Port } from "../../bundle-types.ts";
import { contentHash } from "../../content-hash.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { portsOf } from "../../ports.ts";

/** A rule of a provider's firewall. Address families stay apart, because some providers want that. */
export type ProviderRule = {
  protocol: Port["protocol"];
  first: number;
  last: number;
  sources: readonly string[];
};

/** Exactly what `portsOf` opens, for the commands of every provider. */
export function providerRulesOf(options: DeploymentOptions): ProviderRule[] {
  return portsOf(options)
    .filter(({ audience }) => audience !== "internal")
    .flatMap(({ protocol, ports, sources }) => {
      const [first, last = first] = ports.split("-").map(Number);
      return (["ipv4", "ipv6"] as const).flatMap((family) => {
        const own = sources.filter((source) => source.includes(":") === (family === "ipv6"));
        return own.length === 0 || first === undefined || last === undefined
          ? []
          : [{ protocol, first, last, sources: own }];
      });
    });
}

/** `443`, or with a hyphen `50000-60000`. */
export function rangeOf({ first, last }: ProviderRule): string {
  return first === last ? String(first) : `${first}-${last}`;
}

/**
 * A name that the providers take for what belongs to a deployment. Where the domain's letters alone would
 * not tell it from every other domain's, a hash does.
 */
export function resourceName({ domain }: DeploymentOptions): string {
  const name = `livekit-${domain.replaceAll(".", "-")}`;
  if (!domain.includes("-") && name.length <= 50) return name;
  return `${name.slice(0, 41).replace(/-+$/, "")}-${contentHash(domain).slice(0, 8)}`;
}
