import type { AppContext } from "~/http/app-context";
import { networkOf, prefix48Of } from "~/http/network";
import { type AttemptLimit, takeAttempt } from "./attempt-limit.server";

/** A limit, and for whom an attempt is counted against it. */
export type Count = readonly [subject: string, limit: AttemptLimit];

/**
 * The counts for where a request comes from: its network, and of IPv6 its /48, since a provider may give all of it to one
 * customer. `line` is the widest of them: nobody has a second one by choosing another address.
 */
export function networkCounts(
  { caller }: Pick<AppContext, "caller">,
  ofNetwork: AttemptLimit,
  ofPrefix48: AttemptLimit,
): { counts: Count[]; line: string } {
  const address = caller.address ?? "unknown";
  const network = networkOf(address);
  const prefix48 = prefix48Of(address);
  const counts: Count[] = [[network, ofNetwork]];
  if (prefix48) counts.push([prefix48, ofPrefix48]);
  return { counts, line: prefix48 ?? network };
}

/**
 * Counts an attempt against one limit after the other, and stops at the first that has none left, which it answers: what is
 * refused for its network does not use up what is for a recipient or for all. "unknown" when the database did not answer;
 * undefined if the attempt may be made.
 */
export async function takeAttempts(
  context: AppContext,
  counts: readonly Count[],
): Promise<AttemptLimit | "unknown" | undefined> {
  for (const [subject, limit] of counts) {
    const attempt = await takeAttempt(context, subject, limit);
    if (attempt === "unknown") return attempt;
    if (attempt === "none left") return limit;
  }
}
