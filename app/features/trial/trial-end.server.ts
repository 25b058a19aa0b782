import type { Session } from "~/features/auth/session/session.server";
import { describeError, log } from "~/platform/log/log.server";

/**
 * When the visitor's trial ends; null where it is over, as until its account is deleted. Undefined for everybody who is in
 * none, and in an outage.
 */
export async function trialEnd(
  { visitor, supabase }: Pick<Session, "visitor" | "supabase">,
  now: () => number = Date.now,
): Promise<{ endsAt: string | null } | undefined> {
  const current = await visitor();
  if (current.state !== "signed-in" || !current.isTrial) return;
  const { data, error } = await supabase.rpc("my_trial", undefined, { get: true });
  if (!error) return { endsAt: data && Date.parse(data) > now() ? data : null };
  log.error("The end of a trial could not be read", describeError(error));
}
