import type { AppContext } from "~/http/app-context";
import type { DnsRecord } from "../bundle/bundle-types.ts";
import { dnsRecordsOf } from "../bundle/dns-records.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { probeServer, type ServerAnswer } from "../checks/server-probe.server";
import { isOfSite } from "../public-name.server";
import type { ServerAddress } from "../stored-deployment";
import { addressesOf } from "./resolver.server";

/** What a record says at present. `found` are the addresses that are not the server's. */
export type RecordState =
  | { state: "right" | "missing" | "unknown" }
  | { state: "elsewhere"; found: string[] };

/** What was seen of a server from outside: its records in their order, and its answer once its own name leads to it. */
export type ServerCheck = { records: RecordState[]; answer?: ServerAnswer };

/** More wrong addresses of one record are not named. */
const maxAddresses = 3;

/** Looks at the DNS records of a deployment, and asks its server where its domain leads to that address alone. */
export async function checkServer(
  { configuration }: AppContext,
  options: DeploymentOptions,
  address: ServerAddress,
): Promise<ServerCheck> {
  const required = dnsRecordsOf(options);
  const records = await Promise.all(
    required.map(async ({ name, type }) => {
      const otherType = type === "A" ? "AAAA" : "A";
      const isOnlyFamily = !required.some((each) => each.name === name && each.type === otherType);
      const [found, strays] = await Promise.all([
        addressesOf(configuration, name, type),
        isOnlyFamily ? addressesOf(configuration, name, otherType) : [],
      ]);
      return stateOf(found, strays, addressFor(address, type));
    }),
  );
  const leadsThere =
    !isOfSite(options.domain, configuration.SITE_URL) &&
    required.every(({ name }, at) => name !== options.domain || records[at]?.state === "right");
  return leadsThere
    ? { records, answer: await probeServer(configuration, options.domain) }
    : { records };
}

/** The value of a record: the server's address of its family. */
export function addressFor(address: ServerAddress | undefined, type: DnsRecord["type"]) {
  return type === "A" ? address?.ipv4 : address?.ipv6;
}

/** `strays` are of the family that the name should not have: browsers would try them as well. */
function stateOf(
  found: string[] | undefined,
  strays: string[] | undefined,
  expected: string | undefined,
): RecordState {
  if (found === undefined || strays === undefined) return { state: "unknown" };
  const wrong = [...found.filter((each) => canonical(each) !== expected), ...strays];
  if (wrong.length > 0) return { state: "elsewhere", found: wrong.slice(0, maxAddresses) };
  return { state: found.length === 0 ? "missing" : "right" };
}

function canonical(address: string): string {
  return address.includes(":") ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
