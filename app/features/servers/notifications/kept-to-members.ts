import { listAgeMs, type Member } from "../state/workspace-facts";
import type { Channel } from "./channel";

/**
 * What becomes of mail channels where these are the members: those to others are removed, and addresses that changed are
 * corrected. It makes up for whatever was lost when somebody left. A channel that may be newer than the list stays.
 */
export function keptToMembers(
  channels: readonly Channel[],
  members: readonly Member[],
  now: number,
): { removed: string[]; changed: Channel[] } {
  const addresses = new Map(members.map(({ person, address }) => [person, address]));
  const mails = channels.flatMap((each) => (each.kind === "mail" ? [each] : []));
  const taken = new Set(mails.map(({ address }) => address.toLowerCase()));
  const removed: string[] = [];
  const changed: Channel[] = [];
  for (const { failed: _, ...mail } of mails) {
    const address = addresses.get(mail.person);
    if (now - mail.madeAt < listAgeMs || address === null || address === mail.address) continue;
    const isOther = address?.toLowerCase() !== mail.address.toLowerCase();
    if (address === undefined || (isOther && taken.has(address.toLowerCase()))) {
      removed.push(mail.id);
    } else {
      taken.add(address.toLowerCase());
      changed.push({ ...mail, address });
    }
  }
  return { removed, changed };
}
