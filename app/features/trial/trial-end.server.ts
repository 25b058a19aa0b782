import { isInTrial } from "~/features/auth/session/in-trial.server";
import type { Session } from "~/features/auth/session/session.server";
import { describeError, log } from "~/platform/log/log.server";

/**
 * When the visitor's trial ends: null where it is over, as until its account is deleted, and no `endsAt` where that cannot
 * be read. Undefined for everybody who is in none.
 */
export async function trialEnd(
  session: Pick<Session, "visitor" | "supabase">,
  now: () => number = Date.now,
): Promise<{ endsAt?: string | null } | undefined> {
  if (!(await isInTrial(session))) return;
  const { data, error } = await session.supabase.rpc("my_trial", undefined, { get: true });
  if (!error) return { endsAt: data && Date.parse(data) > now() ? data : null };
  log.error("The end of a trial could not be read", describeError(error));
  return {};
}
