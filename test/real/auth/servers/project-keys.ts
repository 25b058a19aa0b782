import {
  createHmac,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  sign,
} from "node:crypto";

type Claims = Record<string, unknown>;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** How a project signs its tokens: with a key pair as new ones do, or with a shared secret as old ones. */
export type Signing = "ES256" | "HS256";

/** The keys of a project of this run, and the tokens that its gateway makes with them. */
export function projectKeys(signing: Signing) {
  const secret = randomBytes(32).toString("hex");
  const kid = randomUUID();
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = {
    ...privateKey.export({ format: "jwk" }),
    kid,
    alg: "ES256",
    key_ops: ["sign", "verify"],
  };
  const shared = {
    kty: "oct",
    k: createSecretKey(Buffer.from(secret)).export({ format: "jwk" }).k,
    kid: randomUUID(),
    alg: "HS256",
    key_ops: ["verify"],
  };

  function token(claims: Claims): string {
    if (signing === "HS256") {
      const text = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
      return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
    }
    const text = `${part({ alg: "ES256", typ: "JWT", kid })}.${part(claims)}`;
    const key = { key: privateKey, dsaEncoding: "ieee-p1363" } as const;
    return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
  }

  return {
    secret,
    /** The auth server's environment variables for them. */
    environment: {
      GOTRUE_JWT_SECRET: secret,
      ...(signing === "ES256" && { GOTRUE_JWT_KEYS: JSON.stringify([jwk, shared]) }),
    },
    publicKey: createPublicKey(privateKey),
    /** What the gateway puts in place of an API key: a short token of that key's role. */
    ofRole(role: "anon" | "service_role"): string {
      const now = Math.floor(Date.now() / 1_000);
      return token({ role, iss: "supabase", iat: now, exp: now + 60 });
    },
  };
}

export type ProjectKeys = ReturnType<typeof projectKeys>;
