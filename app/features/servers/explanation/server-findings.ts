import { causeWords } from "../incidents/cause-words";
import { type ServerFacts, wrongAt } from "./facts";

// What the doctor and checks from outside found, by what it hinders.

/**
 * TURN, which helps those who get nothing through on a straight way. Who was let in reached the server by its name: what
 * is wrong in DNS is TURN's.
 */
export const ofTurn = [
  ...["turn.refused", "turn.tls.silent", "turn.udp.silent"],
  ...["dns.missing", "dns.wrong", "dns.proxied"],
];
/** With these media does not get through, for anybody or for some networks. */
export const ofMedia = [
  ...["firewall.closed", "firewall.conflict", "firewall.missing", "port.silent"],
  ...["ice.closed", "dns.proxied", "address.unknown"],
];
/** States in which nothing of a server works. */
export const ofServer = [
  "down",
  "livekit.silent",
  "service.down",
  "redis.unreachable",
  "disk.full",
];
/** With these nobody reaches the server, so that nothing of a call comes there. */
export const ofReach = [
  ...["dns.missing", "dns.wrong", "port.closed", "port.taken"],
  ...["cert.invalid", "cert.missing", "cert.ending", "cert.files", "cert.dns"],
];

/** What hinders networks that have IPv6 alone, of which nothing comes then. */
export const ofIpv6 = ["dns.ipv6"];
/** With these the server takes good tokens for old or early ones. */
export const ofClock = ["clock.wrong"];

/** The same of a finding in each explanation: what was found, and what mends it. */
export type FindingWords = { title: string; because: string; next: string };

export function findingAt(
  facts: ServerFacts,
  at: number,
  codes: readonly string[],
): FindingWords | undefined {
  const wrong = wrongAt(facts, at).find(({ code }) => codes.includes(code));
  if (!wrong) return;
  const { title, next } = causeWords(wrong);
  return { title, next, because: `At that time it was known of the server: ${title}.` };
}
