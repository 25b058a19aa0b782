import { addressGroups } from "../bundle/names.ts";

export type Family = "ipv4" | "ipv6";

type Read = { address: string } | { refusal: string };

/** The networks of IPv4 that are not public (IANA's special-purpose registry), as first address and length. */
const notPublicIpv4: readonly [network: number, bits: number][] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 3],
];

const words = { ipv4: "IPv4", ipv6: "IPv6" } as const;

/**
 * The public address in what somebody pasted: with a prefix length, in brackets, as an address of a web page or at the
 * end of the line that create-vm.sh prints. IPv6 is returned in its shortest form.
 */
export function publicAddress(pasted: string, family: Family): Read {
  const text = pasted
    .trim()
    .replace(/^.*\bruns at\s+/is, "")
    .replace(/^https?:\/\//i, "")
    .replace(/^\[([^\]]*)\].*$/s, "$1")
    .replace(/\/.*$/s, "")
    .replace(/\.$/, "");
  const groups = addressGroups(text);
  const length = family === "ipv4" ? 4 : 8;
  if (groups.length !== length) {
    const example = family === "ipv4" ? "such as 198.41.0.4" : "such as 2001:503:ba3e::2:30";
    return { refusal: `Paste the ${words[family]} address that create-vm.sh printed, ${example}.` };
  }
  if (family === "ipv4" ? !isPublicIpv4(groups) : !isPublicIpv6(groups)) {
    return { refusal: `${text} is not a public address: nobody outside reaches a server there.` };
  }
  return { address: family === "ipv4" ? text : new URL(`http://[${text}]`).hostname.slice(1, -1) };
}

function isPublicIpv4(groups: readonly number[]): boolean {
  const number = groups.reduce((sum, group) => sum * 256 + group, 0);
  return notPublicIpv4.every(([network, bits]) => {
    const size = 2 ** (32 - bits);
    return number < network || number >= network + size;
  });
}

/** 2000::/3 without what IANA keeps for protocols, documentation and 6to4. */
function isPublicIpv6([first = 0, second = 0]: readonly number[]): boolean {
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return false;
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  return !(first === 0x3fff && second < 0x1000);
}
