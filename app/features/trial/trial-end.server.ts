import type { Session } from "~/features/auth/session/session.server";
import { describeError, log } from "~/platform/log/log.server";

/** When the visitor's trial ends; null where it is over. Undefined for everybody who is in none, and in an outage. */
export async function trialEnd(session: Session): Promise<{ endsAt: string | null } | undefined> {
  const visitor = await session.visitor();
  if (visitor.state !== "signed-in" || !visitor.isTrial) return;
  const { data, error } = await session.supabase.rpc("my_trial", undefined, { get: true });
  if (!error) return { endsAt: data };
  log.error("The end of a trial could not be read", describeError(error));
}
