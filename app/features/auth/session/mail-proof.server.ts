import type { SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import { sealedCookie } from "~/http/cookies.server";
import { sessionIdOf } from "./session-cookies.server";

/**
 * That a session was opened by a mailed link or code, and when. The auth server's token does not say it: its method
 * `otp` is also that of a texted code, which proves a telephone and no mailbox.
 */
function mailProofCookie(context: Pick<AppContext, "configuration">) {
  return sealedCookie(context, "mail-proof", z.object({ session: z.string(), at: z.number() }));
}

/** The Set-Cookie header for the session that a mailed link or code has just opened. */
export async function rememberMailProof(
  context: AppContext,
  { supabase }: { supabase: Pick<SupabaseClient, "auth"> },
): Promise<string> {
  const { data } = await supabase.auth.getSession();
  const session = sessionIdOf(data.session?.access_token ?? "") ?? "";
  return mailProofCookie(context).keep({ session, at: Date.now() });
}

/** When a mailed link or code opened this session; undefined where another proof did, or too long ago to count. */
export async function provedByMailAt(
  context: AppContext,
  request: Request,
  sessionId: string | undefined,
): Promise<Date | undefined> {
  const proof = await mailProofCookie(context).read(request);
  if (sessionId === undefined || proof?.session !== sessionId) return;
  return new Date(proof.at);
}
