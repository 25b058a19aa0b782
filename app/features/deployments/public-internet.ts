import { addressGroups } from "./bundle/names.ts";

/** Ranges of IPv4 that are nobody's on the internet (RFC 6890, RFC 6598, RFC 7526): first address and bits. */
const reserved4: readonly (readonly [first: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** All of IPv6 that is given out lies in 2000::/3; these parts of it lead elsewhere or nowhere. */
const reserved6: readonly (readonly [first: string, bits: number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/**
 * Whether an address is one of the public internet. Everything else is refused: private, loopback, link-local, shared
 * (CGNAT), multicast, unique local (ULA), for documents, and forms of IPv6 that hold an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  const groups = addressGroups(address);
  if (groups.length === 4) return !reserved4.some((range) => isIn(groups, 8, range));
  if (groups.length !== 8 || !isIn(groups, 16, ["2000::", 3])) return false;
  return !reserved6.some((range) => isIn(groups, 16, range));
}

/** The ranges of Cloudflare's proxy, as https://www.cloudflare.com/ips lists them: whoever is behind it is not seen. */
const proxied4: readonly (readonly [first: string, bits: number])[] = [
  ["103.21.244.0", 22],
  ["103.22.200.0", 22],
  ["103.31.4.0", 22],
  ["104.16.0.0", 13],
  ["104.24.0.0", 14],
  ["108.162.192.0", 18],
  ["131.0.72.0", 22],
  ["141.101.64.0", 18],
  ["162.158.0.0", 15],
  ["172.64.0.0", 13],
  ["173.245.48.0", 20],
  ["188.114.96.0", 20],
  ["190.93.240.0", 20],
  ["197.234.240.0", 22],
  ["198.41.128.0", 17],
];

const proxied6: readonly (readonly [first: string, bits: number])[] = [
  ["2400:cb00::", 32],
  ["2405:8100::", 32],
  ["2405:b500::", 32],
  ["2606:4700::", 32],
  ["2803:f800::", 32],
  ["2a06:98c0::", 29],
  ["2c0f:f248::", 32],
];

/** Whether an address is one of Cloudflare's proxy. */
export function isProxyAddress(address: string): boolean {
  const groups = addressGroups(address);
  if (groups.length === 4) return proxied4.some((range) => isIn(groups, 8, range));
  return groups.length === 8 && proxied6.some((range) => isIn(groups, 16, range));
}

function isIn(
  groups: readonly number[],
  size: 8 | 16,
  [first, bits]: readonly [first: string, bits: number],
): boolean {
  const binary = (each: readonly number[]) =>
    each.map((group) => group.toString(2).padStart(size, "0")).join("");
  return binary(groups).startsWith(binary(addressGroups(first)).slice(0, bits));
}
