import { refusal } from "./refusals.ts";

/** Linking and unlinking identities by a signed-in person is off, as in supabase/config.toml. */
export function answerIdentities(request: Request): Response | undefined {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith("/auth/v1/user/identities/")) return;
  return refusal(404, "manual_linking_disabled", "Manual linking is disabled");
}
