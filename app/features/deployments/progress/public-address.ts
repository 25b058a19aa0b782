import { addressGroups } from "../bundle/names.ts";
import { isPublicAddress } from "../public-internet.ts";

export type Family = "ipv4" | "ipv6";

type Read = { address: string } | { refusal: string };

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
  if (!isPublicAddress(text)) {
    return { refusal: `${text} is not a public address: nobody outside reaches a server there.` };
  }
  return { address: family === "ipv4" ? text : new URL(`http://[${text}]`).hostname.slice(1, -1) };
}
