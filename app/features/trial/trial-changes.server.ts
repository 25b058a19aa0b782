import { trialChangeLimit } from "~/content/trial";
import { takeAttempt } from "~/features/auth/attempt-limit.server";
import type { AppContext } from "~/http/app-context";

/** Longer than a trial, so that its count never starts again. */
const seconds = 25 * 60 * 60;

/**
 * Counts a change by somebody in a trial. A limit that counts minutes lets somebody write all day; what a trial costs at
 * most (docs/operations.md) is true because this one counts its whole day.
 */
export function takeTrialChange(
  context: Pick<AppContext, "configuration">,
  person: string,
): ReturnType<typeof takeAttempt> {
  const limit = { kind: "trial-changes", maxAttempts: trialChangeLimit, seconds };
  return takeAttempt(context, person, limit);
}
