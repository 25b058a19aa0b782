import { generateKeyPairSync, randomUUID, sign, verify } from "node:crypto";
import { claimsOf, signed } from "./access-token.ts";

/**
 * How access tokens are signed. The embedded server knows only a shared secret; a hosted project has a key pair and
 * publishes its public half, so that a site can verify a token by itself. With `setKeyPair(true)` the tokens that
 * leave the fake are signed with a key pair, and the embedded server still gets its own.
 */
export function signingKeys(secret: string, issuer: string) {
  const kid = randomUUID();
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const options = { dsaEncoding: "ieee-p1363" } as const;
  let keyPair = false;

  function signedWithKeyPair(claims: object): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const text = `${part({ alg: "ES256", typ: "JWT", kid })}.${part(claims)}`;
    const signature = sign("sha256", Buffer.from(text), { key: privateKey, ...options });
    return `${text}.${signature.toString("base64url")}`;
  }

  function isOurs(token: string): boolean {
    const [header = "", claims = "", signature = ""] = token.split(".");
    const text = Buffer.from(`${header}.${claims}`);
    const key = { key: publicKey, ...options };
    return verify("sha256", text, key, Buffer.from(signature, "base64url"));
  }

  return {
    setKeyPair(enabled: boolean): void {
      keyPair = enabled;
    },
    sign(claims: object): string {
      const whole = { iss: issuer, ...claims };
      return keyPair ? signedWithKeyPair(whole) : signed(whole, secret);
    },
    /** Answers a request for the published keys or for the issuer of the tokens; undefined for another one. */
    answer(request: Request): Response | undefined {
      const { pathname } = new URL(request.url);
      if (pathname === "/auth/v1/.well-known/openid-configuration")
        return Response.json({ issuer });
      if (pathname !== "/auth/v1/.well-known/jwks.json") return;
      const jwk = { ...publicKey.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" };
      return Response.json({ keys: keyPair ? [jwk] : [] });
    },
    /** The request with a token that the embedded server has signed itself. */
    understood(request: Request): Request {
      const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
      const claims = token ? claimsOf(token) : undefined;
      if (!token || !claims || !isOurs(token)) return request;
      const headers = new Headers(request.headers);
      headers.set("authorization", `Bearer ${signed(claims, secret)}`);
      return new Request(request, { headers });
    },
  };
}
