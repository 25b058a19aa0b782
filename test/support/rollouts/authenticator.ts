import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { Approver } from "~/features/servers/rollouts/approvers.server.ts";
import type { Assertion } from "~/features/servers/rollouts/rollout.ts";

const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest();

/** What is not as it should be in an assertion. */
export type Forgery = {
  origin?: string;
  challenge?: string | undefined;
  type?: string;
  crossOrigin?: boolean;
  relyingParty?: string;
  flags?: number;
};

/** A passkey on a device of its own, as WebAuthn has it, by node:crypto. */
export function authenticator(person: string, origin: string, by = "ada@example.com") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const approver: Approver = {
    ...{ person, by, credential: randomBytes(16).toString("base64url") },
    key: spki.toString("base64"),
    fingerprint: sha256(spki).toString("hex").slice(0, 32),
  };
  const device = {
    approver,
    /** Signs a manifest, or what a forger makes of it. */
    sign: (manifest: string, forged: Forgery = {}): Assertion =>
      device.signChallenge(sha256(forged.challenge ?? manifest).toString("base64url"), {
        ...forged,
        challenge: undefined,
      }),
    signChallenge(challenge: string, forged: Forgery = {}): Assertion {
      const clientData = Buffer.from(
        JSON.stringify({
          type: forged.type ?? "webauthn.get",
          challenge: forged.challenge ? sha256(forged.challenge).toString("base64url") : challenge,
          origin: forged.origin ?? origin,
          crossOrigin: forged.crossOrigin ?? false,
        }),
      );
      const host = forged.relyingParty ?? new URL(origin).hostname;
      // Present and verified, and a counter.
      const data = Buffer.concat([sha256(host), Buffer.from([forged.flags ?? 0x05, 0, 0, 0, 1])]);
      const signature = sign("sha256", Buffer.concat([data, sha256(clientData)]), privateKey);
      return {
        credential: approver.credential,
        authenticatorData: data.toString("base64url"),
        clientData: clientData.toString("base64url"),
        signature: signature.toString("base64url"),
      };
    },
  };
  return device;
}

export type Authenticator = ReturnType<typeof authenticator>;
