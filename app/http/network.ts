/**
 * How many keys count a /48 of IPv6: all of it together may make this many times as many requests as one /64 in it.
 */
const keysOfPrefix48 = 16;

/**
 * The keys by which a rate limit counts a request from this address, in their order: that of its network, and of IPv6
 * one of the 16 keys of its /48. A binding has one limit for all keys, so a random one gives a /48 16 times the limit.
 */
export function networkKeys(address: string): string[] {
  const network = `address:${networkOf(address)}`;
  const prefix48 = prefix48Of(address);
  if (!prefix48) return [network];
  const [chance = 0] = crypto.getRandomValues(new Uint8Array(1));
  return [network, `prefix48:${prefix48}#${chance % keysOfPrefix48}`];
}

/** An IPv4 address, or the first 64 bits of an IPv6 address, because one customer may choose the rest. */
export function networkOf(address: string): string {
  const groups = groupsOf(address);
  return groups ? `${groups.slice(0, 4).join(":")}::/64` : address.replace(/^.*:(?=.*\.)/, "");
}

/**
 * The first 48 bits of an IPv6 address, because a provider may give all that follow to one customer. Undefined for
 * IPv4.
 */
export function prefix48Of(address: string): string | undefined {
  const groups = groupsOf(address);
  return groups && `${groups.slice(0, 3).join(":")}::/48`;
}

/**
 * The /32 of an IPv6 address, or the /16 of an IPv4 address: about as much as one provider is allotted at a time, and so
 * what one of its customers may come from at most. Undefined where the address is neither.
 */
export function allotmentOf(address: string): string | undefined {
  const groups = groupsOf(address);
  if (groups) return `${groups.slice(0, 2).join(":")}::/32`;
  const [, first] = /(?:^|:)(\d{1,3}\.\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(address) ?? [];
  return first && `${first}.0.0/16`;
}

/** The eight groups of an IPv6 address; undefined for IPv4, also when it is written as an IPv6 address. */
function groupsOf(address: string): string[] | undefined {
  if (!address.includes(":") || address.includes(".")) return;
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = head.split(":").filter(Boolean);
  const after = (tail ?? "").split(":").filter(Boolean);
  const gap =
    tail === undefined ? [] : Array(Math.max(0, 8 - before.length - after.length)).fill("0");
  return [...before, ...gap, ...after].map((group) => group.replace(/^0+(?=.)/, ""));
}
