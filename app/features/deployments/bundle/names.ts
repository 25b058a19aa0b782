/**
 * Endings for which no public certificate authority issues a certificate: those that are reserved (RFC 2606, RFC 6761,
 * RFC 6762, RFC 7686, RFC 8375, RFC 9476), and those that networks use by habit and that nobody can register.
 */
const privateEndings = [
  ..."local localhost internal test invalid example onion arpa alt".split(" "),
  ..."lan home corp intranet private localdomain workgroup mail".split(" "),
];

const wordCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

export type CheckedName = { name: string } | { refusal: string };

/**
 * A host name in the form that DNS and certificates use: lower case, punycode, no trailing dot.
 * A name that can get no certificate, or that a configuration file cannot hold, is refused with a sentence.
 */
export function checkName(input: string): CheckedName {
  const refused = (refusal: string) => ({ refusal });
  if (input === "") return refused("Write a domain such as livekit.example.com.");
  if (/^[a-z]+:\/\//i.test(input)) return refused("Write the domain only, without https://.");
  if (input.includes("*"))
    return refused("A wildcard does not work here. Write the one name that people connect to.");
  if (/^[\d.]+$/.test(input) || input.includes(":"))
    return refused("An IP address or a port does not work here: certificates are for names.");
  if (input.includes("_")) return refused("A domain here may not have an underscore.");
  if (input.endsWith(".")) return refused("Write the domain without a dot at its end.");
  if (!wordCharacters.test(input))
    return refused("A domain has letters, digits, hyphens and dots only.");
  const name = toAscii(input);
  if (name === null) return refused("This is not a domain that browsers understand.");
  if (name.length > 253) return refused("A domain has at most 253 characters.");
  const labels = name.split(".");
  if (labels.length < 2) return refused("Write a full domain, with at least one dot.");
  for (const part of labels) {
    if (part.length > 63) return refused("Each part of a domain has at most 63 characters.");
    if (!label.test(part))
      return refused("Each part of a domain begins and ends with a letter or a digit.");
  }
  const ending = labels.at(-1) ?? "";
  if (/^\d/.test(ending)) return refused("The last part of a domain is not a number.");
  if (privateEndings.includes(ending))
    return refused(`No certificate authority vouches for names that end in .${ending}.`);
  return { name };
}

/** Unicode to punycode, by the URL parser of the platform (UTS 46). Null when the parser refuses the name. */
function toAscii(name: string): string | null {
  if (/^[a-z0-9.-]+$/i.test(name) && !/(^|\.)xn--/i.test(name)) return name.toLowerCase();
  try {
    return new URL(`http://${name}`).hostname;
  } catch {
    return null;
  }
}

/** A punycode name as people read it: `xn--mnchen-3ya.de` is `münchen.de`. */
export function toUnicode(name: string): string {
  return name
    .split(".")
    .map((part) => (part.startsWith("xn--") ? decodeLabel(part.slice(4)) : part))
    .join(".");
}

/** Decodes one punycode label that the URL parser has accepted: RFC 3492, section 6.2. */
function decodeLabel(encoded: string): string {
  const end = encoded.lastIndexOf("-");
  const points = [...encoded.slice(0, Math.max(end, 0))].map((letter) => letter.charCodeAt(0));
  let point = 128;
  let index = 0;
  let bias = 72;
  for (let at = end + 1; at < encoded.length; ) {
    const before = index;
    for (let weight = 1, k = 36; ; k += 36) {
      const code = encoded.charCodeAt(at++);
      const digit = code < 58 ? code - 22 : code - 97;
      index += digit * weight;
      const threshold = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
      if (digit < threshold || at >= encoded.length) break;
      weight *= 36 - threshold;
    }
    const length = points.length + 1;
    bias = adapt(index - before, length, before === 0);
    point += Math.floor(index / length);
    index %= length;
    points.splice(index++, 0, point);
  }
  return String.fromCodePoint(...points);
}

/** How the bias of the decoder changes after each letter: RFC 3492, section 6.1. */
function adapt(difference: number, length: number, first: boolean): number {
  let delta = first ? Math.floor(difference / 700) : difference >> 1;
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
  return k + Math.floor((36 * delta) / (delta + 38));
}

/** Checks an address or a CIDR range, and writes it in the one form that every provider accepts. */
export function checkRange(input: string): { range: string } | { refusal: string } {
  const refusal = "Write an address range such as 203.0.113.0/24 or 2001:db8::/32.";
  const [address = "", bits, more] = input.split("/");
  if (more !== undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return { refusal };
  const version = address.includes(":") ? 6 : 4;
  const groups = addressGroups(address);
  const size = version === 4 ? 8 : 16;
  const prefix = bits === undefined ? groups.length * size : Number(bits);
  if (groups.length === 0 || prefix > groups.length * size) return { refusal };
  const masked = groups.map((group, index) => {
    const prefixBits = Math.min(Math.max(prefix - index * size, 0), size);
    return group & (2 ** size - 2 ** (size - prefixBits));
  });
  const network =
    version === 4
      ? masked.join(".")
      : new URL(`http://[${masked.map((group) => group.toString(16)).join(":")}]`).hostname.slice(
          1,
          -1,
        );
  return { range: `${network}/${prefix}` };
}

/** The 4 numbers of an IPv4 address or the 8 of an IPv6 address; none of anything else. */
export function addressGroups(address: string): number[] {
  return address.includes(":") ? ipv6Groups(address) : ipv4Groups(address);
}

function ipv4Groups(address: string): number[] {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(address)) return [];
  const groups = address.split(".").map(Number);
  return groups.every((group) => group <= 255) ? groups : [];
}

function ipv6Groups(address: string): number[] {
  if (!/^[0-9a-f:]+$/i.test(address)) return [];
  let canonical: string;
  try {
    canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  } catch {
    return [];
  }
  const [head = "", tail] = canonical.split("::");
  const numbers = (part: string) =>
    part === "" ? [] : part.split(":").map((g) => Number.parseInt(g, 16));
  const front = numbers(head);
  const back = numbers(tail ?? "");
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}
