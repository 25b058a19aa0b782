import type { DnsRecord } from "./bundle-types.ts";
import { toUnicode } from "./names.ts";
import { hasFamily, publicNames } from "./options/derived-options.ts";
import type { DeploymentOptions } from "./options/options.ts";

const purposes = {
  livekit: "Signalling and LiveKit's API",
  turn: "TURN/TLS",
  whip: "WHIP Ingress",
} as const;

/** The records to set before the first boot. All point to the machine's static address. */
export function dnsRecordsOf(options: DeploymentOptions): DnsRecord[] {
  const types = [
    ...(hasFamily(options, "ipv4") ? (["A"] as const) : []),
    ...(hasFamily(options, "ipv6") ? (["AAAA"] as const) : []),
  ];
  return publicNames(options).flatMap(({ name, service }) =>
    types.map((type) => ({ name, shownName: toUnicode(name), type, purpose: purposes[service] })),
  );
}
