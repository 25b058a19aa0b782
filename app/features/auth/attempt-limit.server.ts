import type { AppContext } from "~/http/app-context";
import { toBase64url } from "~/http/encodings";
import { signingKey } from "~/http/hashes";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";

type Context = Pick<AppContext, "configuration">;

/** At most `maxAttempts` attempts of a `kind` for one subject, such as a person or a network, within any `seconds`. */
export type AttemptLimit = { kind: string; maxAttempts: number; seconds: number };

/**
 * Counts one attempt in the database; call it before the attempt is made. "unknown" when the database did not answer:
 * then it must not be made, because it was not counted.
 */
export async function takeAttempt(
  { configuration }: Context,
  subject: string,
  limit: AttemptLimit,
): Promise<"taken" | "none left" | "unknown"> {
  const { data, error } = await serviceClient(configuration).rpc(
    "take_code_try",
    await databaseArguments(configuration, subject, limit),
  );
  if (data === true) return "taken";
  if (data === false) return "none left";
  log.error("An attempt was not counted", { kind: limit.kind, ...describeError(error) });
  return "unknown";
}

/** When the next attempt may be made after a refusal. Returns the present time when the database does not answer. */
export async function nextAttemptAt(
  { configuration }: Context,
  subject: string,
  limit: AttemptLimit,
): Promise<Date> {
  const { data } = await serviceClient(configuration).rpc(
    "next_code_try",
    await databaseArguments(configuration, subject, limit),
  );
  return new Date(data ?? Date.now());
}

/** Starts the count again after a success. When the database does not answer, the attempts expire with time. */
export async function resetAttempts(
  { configuration }: Context,
  subject: string,
  { kind }: AttemptLimit,
): Promise<void> {
  const { error } = await serviceClient(configuration).rpc("forget_code_tries", {
    subject: await hashedSubject(configuration, subject),
    try_kind: kind,
  });
  if (error) log.error("Attempts were not reset", { kind, ...describeError(error) });
}

async function databaseArguments(
  configuration: Context["configuration"],
  subject: string,
  { kind, maxAttempts, seconds }: AttemptLimit,
) {
  return {
    subject: await hashedSubject(configuration, subject),
    try_kind: kind,
    most: maxAttempts,
    window_seconds: seconds,
  };
}

/**
 * What the database counts by. Four thousand million addresses of IPv4, or all telephone numbers, are hashed in minutes,
 * so whoever reads the table must need our secret to find whom a row is about. A new secret starts every count again.
 */
export async function hashedSubject(
  { COOKIE_SECRET }: Context["configuration"],
  subject: string,
): Promise<string> {
  const key = await signingKey(COOKIE_SECRET[0] ?? "", "subjects of attempt limits");
  const text = new TextEncoder().encode(subject);
  return toBase64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, text)));
}
