import { createHmac } from "node:crypto";
import * as z from "zod";

const payload = z.looseObject({
  sub: z.string(),
  session_id: z.string(),
  aal: z.string().optional(),
});

export type AccessClaims = z.output<typeof payload>;

/** The claims of an access token whose signature somebody else has checked. */
export function claimsOf(token: string): AccessClaims | undefined {
  try {
    const [, claims = ""] = token.split(".");
    return payload.safeParse(JSON.parse(Buffer.from(claims, "base64url").toString())).data;
  } catch {
    return undefined;
  }
}

/** The same token with these claims, signed with the server's secret. */
export function signed(claims: object, secret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}
