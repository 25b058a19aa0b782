import { refusal } from "./refusals.ts";

/** Connecting and disconnecting by hand is off, as supabase/config.toml says. */
export function answerIdentities(request: Request): Response | undefined {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith("/auth/v1/user/identities/")) return;
  return refusal(404, "manual_linking_disabled", "Manual linking is disabled");
}
