import { dnsRecords } from "~/http/dns-records.server";
import type { Configuration } from "~/platform/env/configuration.server";
import type { DnsRecord } from "../bundle/bundle-types.ts";
import { addressGroups } from "../bundle/names.ts";

/** The addresses that a name has. Undefined when the resolver does not say. */
export async function addressesOf(
  { DNS_API_URL }: Configuration,
  name: string,
  type: DnsRecord["type"],
): Promise<string[] | undefined> {
  const found = await dnsRecords(DNS_API_URL, name, type);
  return found?.filter((address) => addressGroups(address).length === (type === "A" ? 4 : 8));
}
