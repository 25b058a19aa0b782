import { dnsRecords } from "~/http/dns-records.server";
import { isPublicAddress } from "./public-internet";

/**
 * Where a name leads that somebody else gave us, a person or a machine: to the public internet alone, to our own site, to
 * an address that is not of the internet, to no address, or the resolver does not say.
 */
export type NameTarget = "public" | "ours" | "private" | "none" | "unknown";

/** Whether a name is the site's, one below it, or one beside its `www`. */
export function isOfSite(given: string, siteUrl: string): boolean {
  const site = URL.parse(siteUrl)?.hostname.replace(/^www\./, "");
  const name = given.toLowerCase().replace(/\.$/, "");
  return name === site || name.endsWith(`.${site}`);
}

/** Where a name leads, and all addresses that it has. */
export type ResolvedName = { target: NameTarget; addresses: readonly string[] };

/**
 * Looks a name up right before it is asked, so that one which was changed since it was given does not lead into a private
 * network. Every request to a name of somebody else's goes through here. Never throws.
 */
export async function resolveName(
  { SITE_URL, DNS_API_URL }: { SITE_URL: string; DNS_API_URL: string },
  name: string,
): Promise<ResolvedName> {
  if (isOfSite(name, SITE_URL)) return { target: "ours", addresses: [] };
  const [ipv4, ipv6] = await Promise.all([
    dnsRecords(DNS_API_URL, name, "A"),
    dnsRecords(DNS_API_URL, name, "AAAA"),
  ]);
  if (!ipv4 || !ipv6) return { target: "unknown", addresses: [] };
  const addresses = [...ipv4, ...ipv6];
  if (addresses.length === 0) return { target: "none", addresses };
  return { target: addresses.every(isPublicAddress) ? "public" : "private", addresses };
}

export async function targetOf(
  settings: Parameters<typeof resolveName>[0],
  name: string,
): Promise<NameTarget> {
  return (await resolveName(settings, name)).target;
}
