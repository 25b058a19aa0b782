import type { User } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { fromBase64url } from "~/http/encodings";
import type { Session } from "./session.server";

/** How, and how recently, the person of the present session proved who they are. */
export type Assurance = {
  /** `due`: the account has a second factor, and it was not given in this session. */
  secondFactor: "none" | "due" | "given";
  /** The last time somebody signed in or gave a factor in this session; undefined when the token does not say. */
  provedAt: Date | undefined;
  /** The last time somebody used a mailed link or code in this session, as for a password reset. */
  provedByMailAt: Date | undefined;
  /** The session's id at the auth server. */
  sessionId: string | undefined;
};

const recentMs = 15 * 60 * 1_000;

const claims = z.object({
  aal: z.optional(z.string()),
  amr: z.optional(z.array(z.object({ timestamp: z.number(), method: z.optional(z.string()) }))),
  session_id: z.optional(z.string()),
});

/**
 * Reads the assurance from the session's access token. It does not check the token's signature, so call it only
 * after the auth server has confirmed the user of this session.
 */
export async function assuranceOf({ supabase }: Session, user: User): Promise<Assurance> {
  const { data } = await supabase.auth.getSession();
  const { aal, amr = [], session_id } = claimsIn(data.session?.access_token ?? "");
  const enrolled = user.factors?.some(({ status }) => status === "verified") ?? false;
  return {
    secondFactor: !enrolled ? "none" : aal === "aal2" ? "given" : "due",
    provedAt: newestOf(amr),
    provedByMailAt: newestOf(amr.filter(({ method }) => byMail.has(method ?? ""))),
    sessionId: session_id,
  };
}

/** The session id in an access token. The signature is not checked: the token must come from the auth server. */
export function sessionIdOf(accessToken: string): string | undefined {
  return claimsIn(accessToken).session_id;
}

const byMail = new Set(["otp", "magiclink", "recovery"]);

function newestOf(proofs: readonly { timestamp: number }[]): Date | undefined {
  const newest = Math.max(0, ...proofs.map(({ timestamp }) => timestamp));
  return newest > 0 ? new Date(newest * 1_000) : undefined;
}

/** Whether somebody signed in or gave their second factor within the last 15 minutes. */
export function isRecent({ provedAt }: Pick<Assurance, "provedAt">): boolean {
  return provedAt !== undefined && Date.now() - provedAt.getTime() < recentMs;
}

function claimsIn(token: string): z.output<typeof claims> {
  try {
    const [, part = ""] = token.split(".");
    return claims.parse(JSON.parse(new TextDecoder().decode(fromBase64url(part))));
  } catch {
    return {};
  }
}
