import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";

/** At most `most` tries of a kind for one subject in any `seconds`; it says who is counted together. */
export type TryLimit = { kind: string; most: number; seconds: number };

/**
 * Takes one try in the database, before what it is for is done. "unknown" when the database did not
 * answer: then nothing may be tried, since nobody counts.
 */
export async function takeTry(
  { configuration }: AppContext,
  subject: string,
  limit: TryLimit,
): Promise<"taken" | "none left" | "unknown"> {
  const { data, error } = await serviceClient(configuration).rpc(
    "take_code_try",
    asDatabaseCallsIt(subject, limit),
  );
  if (data === true) return "taken";
  if (data === false) return "none left";
  log.error("A try was not counted", { kind: limit.kind, ...describeError(error) });
  return "unknown";
}

/** When the next try may be made after one was refused. When the database does not answer: now. */
export async function nextTryAt(
  { configuration }: AppContext,
  subject: string,
  limit: TryLimit,
): Promise<Date> {
  const { data } = await serviceClient(configuration).rpc(
    "next_code_try",
    asDatabaseCallsIt(subject, limit),
  );
  return new Date(data ?? Date.now());
}

/** A right one gives all tries back. When the database does not answer they come back with time. */
export async function giveTriesBack(
  { configuration }: AppContext,
  subject: string,
  { kind }: TryLimit,
): Promise<void> {
  const { error } = await serviceClient(configuration).rpc("forget_code_tries", {
    subject,
    try_kind: kind,
  });
  if (error) log.error("Tries were not given back", { kind, ...describeError(error) });
}

function asDatabaseCallsIt(subject: string, { kind, most, seconds }: TryLimit) {
  return { subject, try_kind: kind, most, window_seconds: seconds };
}
