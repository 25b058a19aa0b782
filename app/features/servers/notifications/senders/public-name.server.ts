import { isPublicAddress } from "~/features/deployments/public-internet";
import type { Sent } from "~/features/servers/notifications/channel";
import { dnsAddresses } from "~/http/dns-addresses.server";

/**
 * Why nothing is sent to a name now: it has no address, one that is not of the public internet, or the resolver does
 * not say. Undefined for a name that leads to the internet alone.
 */
export async function refusedName(
  resolver: string,
  name: string,
): Promise<Extract<Sent, { ok: false }> | undefined> {
  const answers = await Promise.all([
    dnsAddresses(resolver, name, "A"),
    dnsAddresses(resolver, name, "AAAA"),
  ]);
  const [found, more] = answers;
  if (!found || !more) {
    return { ok: false, retry: true, reason: "Its name could not be resolved: no answer of DNS." };
  }
  const all = [...found, ...more];
  if (all.length === 0)
    return { ok: false, retry: true, reason: "Its name has no address in DNS." };
  if (all.every(isPublicAddress)) return;
  const reason = "Its name leads to an address that is not of the public internet.";
  return { ok: false, retry: true, reason };
}
