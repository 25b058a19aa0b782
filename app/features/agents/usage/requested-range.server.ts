import type { AppContext } from "~/http/app-context";
import { tooOften, withinLimit } from "~/http/rate-limit.server";
import type { ReadFailure } from "~/http/read";
import { describeError, log } from "~/platform/log/log.server";
import { type Range, rangeIn } from "./statistics.server";

/** The days and the identity that an address names, counted as one reading by this person; else why they are not read. */
export async function requestedRange(
  context: AppContext,
  request: Request,
  userId: string,
): Promise<Range | ReadFailure> {
  const days = rangeIn(new URL(request.url).searchParams, new Date());
  if (!days.ok) return { status: 400, error: days.message };
  if (!(await withinLimit(context, "USAGE_READ_LIMIT", request, `user:${userId}`))) {
    return { status: 429, error: tooOften };
  }
  return days.range;
}

export const usageUnread: ReadFailure = {
  status: 503,
  error: "Your usage cannot be read right now. Please try again in a moment.",
};

/** Logs why usage could not be read; the failure for the person says only that. */
export function usageUnreadable(error: unknown): ReadFailure {
  log.error("Token usage could not be read", describeError(error));
  return usageUnread;
}
