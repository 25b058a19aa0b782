import { createSign, generateKeyPairSync } from "node:crypto";

const keyId = "local-google-1";
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** What Google publishes at /oauth2/v3/certs. */
export function googleCertificates() {
  const key = publicKey.export({ format: "jwk" });
  return { keys: [{ ...key, kid: keyId, use: "sig", alg: "RS256" }] };
}

/** The claims of a token, without checking who signed it. */
export function readClaims(token: string): Record<string, unknown> {
  const payload = token.split(".")[1] ?? "";
  return JSON.parse(Buffer.from(payload, "base64url").toString());
}

/** Signs claims as Google signs an id token. */
export function signIdToken(claims: Record<string, unknown>): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const content = `${encode({ alg: "RS256", kid: keyId, typ: "JWT" })}.${encode(claims)}`;
  const signature = createSign("RSA-SHA256").update(content).sign(privateKey, "base64url");
  return `${content}.${signature}`;
}
