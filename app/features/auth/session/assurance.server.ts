import type { User } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { fromBase64url } from "~/http/encodings/base64";
import type { Session } from "./session.server";

/** How well the present session is proved. */
export type Assurance = {
  /** `due`: the account has a second factor, and this session has not given it. */
  secondFactor: "none" | "due" | "given";
  /** When somebody last proved who they are in this session; undefined when the token does not say. */
  provedAt: Date | undefined;
  /** The same by a mailed link or code, which is what a reset of the password is. */
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
 * Reads the session's access token. Only for a session whose user the auth server has just told:
 * the signature is not checked here.
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

/** The session of an access token that the auth server has just answered; its signature is not checked. */
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
