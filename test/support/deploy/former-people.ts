import { expect } from "vitest";
import { localJwtSecret } from "../../../fakes/supabase/fake.ts";
import { signToken } from "../auth/access-token.ts";
import { cards } from "../billing/hosted-pages.ts";
import { Visitor } from "../site/visitor.ts";

/** Somebody with an account and a session of the same id, who has just signed in. */
export function signedInAs(id: string, siteUrl: string): Visitor {
  const now = Math.floor(Date.now() / 1_000);
  const expires_at = now + 3_600;
  const claims = {
    sub: id,
    session_id: id,
    role: "authenticated",
    aud: "authenticated",
    aal: "aal1",
    amr: [{ method: "oauth", timestamp: now }],
    iat: now,
    exp: expires_at,
  };
  const session = {
    access_token: signToken(claims, localJwtSecret),
    refresh_token: id,
    token_type: "bearer",
    expires_in: 3_600,
    expires_at,
  };
  const visitor = new Visitor(siteUrl);
  const value = Buffer.from(JSON.stringify(session)).toString("base64url");
  visitor.setCookie("sb-127-auth-token", `base64-${value}`);
  return visitor;
}

/** Buys a plan on /pricing, and comes back from Stripe. The address is a guest's. */
export async function buyHere(visitor: Visitor, plan: "basic" | "pro", email = ""): Promise<void> {
  const start = await visitor.post("/pricing", { plan });
  expect(start.status, await start.clone().text()).toBe(303);
  const hosted = start.headers.get("location") ?? "";
  const paid = await visitor.post(hosted, { card: cards.good, ...(email && { email }) });
  const { url, response } = await visitor.arrive(paid, hosted);
  expect([response.status, url.pathname]).toEqual([200, "/success"]);
  expect(await response.text()).toContain("Payment Successful!");
}
