import type { Configuration } from "~/platform/env/configuration.server";
import { probeServer } from "../checks/server-probe.server";
import { addressesOf } from "../progress/resolver.server";
import { targetOf } from "../public-name.server";
import type { ServerAddress } from "../stored-deployment";
import type { Outside } from "./failure-advice";

type Server = { domain: string; address?: Omit<ServerAddress, "version"> | undefined };

/**
 * What our site sees of a server, for a test that did not get in: only who looks from elsewhere too can tell a network
 * from a server. It asks public names of the internet alone, and never our own. Never throws.
 */
export async function outsideOf(
  configuration: Configuration,
  { domain, address }: Server,
): Promise<Outside> {
  const target = await targetOf(configuration, domain);
  if (target === "none") return "no-address";
  if (target !== "public") return target === "private" ? "private" : "unknown";
  if (await isElsewhere(configuration, domain, address)) return "elsewhere";
  return probeServer(configuration, domain);
}

/** Whether the name has an address that is not the server's, as behind a CDN; not where we do not know the server's. */
async function isElsewhere(
  configuration: Configuration,
  domain: string,
  address: Server["address"],
): Promise<boolean> {
  if (!address?.ipv4 && !address?.ipv6) return false;
  const [ipv4 = [], ipv6 = []] = await Promise.all([
    addressesOf(configuration, domain, "A"),
    addressesOf(configuration, domain, "AAAA"),
  ]);
  return (
    (address.ipv4 !== undefined && ipv4.some((each) => each !== address.ipv4)) ||
    (address.ipv6 !== undefined && ipv6.some((each) => each !== address.ipv6))
  );
}
