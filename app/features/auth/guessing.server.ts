import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";

/** A limit: at most `maxTries` tries of a `kind` for one subject, such as a person, within any `seconds`. */
export type TryLimit = { kind: string; maxTries: number; seconds: number };

/**
 * Counts one try in the database; call it before the try is made. "unknown" when the database did not answer:
 * then the try must not be made, because it was not counted.
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

/** When the next try may be made after a refusal. Returns the present time when the database does not answer. */
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

/** Resets the count after a successful try. When the database does not answer, the tries expire with time. */
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

function asDatabaseCallsIt(subject: string, { kind, maxTries: limit, seconds }: TryLimit) {
  return { subject, try_kind: kind, most: limit, window_seconds: seconds };
}

/**
 * All durations are rounded up to a multiple of this. A wrong password, a mail that was sent and one that was not
 * differ by less, so they usually take the same time.
 */
const stepMs = 1_000;

/**
 * Runs `work` and settles a whole number of seconds after the start. Without this the duration would reveal
 * whether an account exists. Waiting costs a Worker no CPU time.
 */
export async function withConstantTiming<Result>(work: () => Promise<Result>): Promise<Result> {
  const start = Date.now();
  try {
    return await work();
  } finally {
    // This runs after a failure too, since the time of a failure must not reveal anything either.
    const elapsed = Date.now() - start;
    const rest = stepMs * Math.max(1, Math.ceil(elapsed / stepMs)) - elapsed;
    await new Promise((resolve) => setTimeout(resolve, rest));
  }
}
