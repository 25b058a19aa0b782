import { createHash, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { isApprovalOf } from "~/features/servers/rollouts/passkey.ts";
import { readRegistration } from "~/features/servers/rollouts/registration.ts";
import { relyingParty } from "~/features/servers/rollouts/relying-party.ts";
import { authenticator, type Forgery } from "../../../support/rollouts/authenticator.ts";

const site = relyingParty("https://console.example.com");
const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest();
const challenge = Buffer.alloc(40, 7);
const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const spki = publicKey.export({ type: "spki", format: "der" });

type Made = Forgery & { cose?: Buffer; idLength?: number };

/** What a browser sends of a new passkey: the last 64 bytes of its key are the point. */
function made({ flags = 0x45, idLength = 16, ...forged }: Made = {}) {
  const [x, y] = [spki.subarray(-64, -32), spki.subarray(-32)];
  const cose = Buffer.concat([
    ...[Buffer.from("a5010203262001215820", "hex"), x, Buffer.from("225820", "hex"), y],
  ]);
  const data = Buffer.concat([
    sha256(forged.relyingParty ?? site.id),
    Buffer.from([flags, 0, 0, 0, 0]),
    ...[Buffer.alloc(16), Buffer.from([0, idLength]), Buffer.alloc(16, 9), forged.cose ?? cose],
  ]);
  const clientData = JSON.stringify({
    type: forged.type ?? "webauthn.create",
    challenge: (forged.challenge ? sha256(forged.challenge) : challenge).toString("base64url"),
    origin: forged.origin ?? site.origin,
  });
  return {
    clientData: Buffer.from(clientData).toString("base64url"),
    authenticatorData: data.toString("base64url"),
  };
}

test("a new passkey is read with its key, and the fingerprint that a machine prints of it", async () => {
  expect(await readRegistration(made(), challenge, site)).toEqual({
    credential: Buffer.alloc(16, 9).toString("base64url"),
    key: spki.toString("base64"),
    fingerprint: sha256(spki).toString("hex").slice(0, 32),
  });
});

const forgeries: [what: string, Made][] = [
  ["of another site", { origin: "https://console.example.net" }],
  ["for another site", { relyingParty: "example.net" }],
  ["for another challenge", { challenge: "another" }],
  ["that is an approval", { type: "webauthn.get" }],
  ["without its person", { flags: 0x44 }],
  ["of somebody who was not verified", { flags: 0x41 }],
  ["without a key", { flags: 0x05 }],
  ["with no id", { idLength: 0 }],
  ["with an id that is longer than all", { idLength: 200 }],
  ["of another algorithm", { cose: Buffer.concat([Buffer.from("a4010303390100", "hex"), spki]) }],
  [
    "whose point is not on the curve",
    {
      cose: Buffer.concat([
        ...[Buffer.from("a5010203262001215820", "hex"), Buffer.alloc(32, 1)],
        ...[Buffer.from("225820", "hex"), Buffer.alloc(32, 1)],
      ]),
    },
  ],
];
test.each(forgeries)("a new passkey %s is refused", async (_, forged) => {
  expect(await readRegistration(made(forged), challenge, site)).toBeUndefined();
});

test("what this passkey signed is an approval, a hundred times, and of another text or key none", async () => {
  const device = authenticator("ada", site.origin);
  const other = authenticator("ada", site.origin);
  for (let at = 0; at < 100; at += 1) {
    // The numbers of a signature have other lengths each time.
    const signed = device.sign(`manifest ${at}`);
    expect(await isApprovalOf(`manifest ${at}`, signed, device.approver, site)).toBe(true);
    expect(await isApprovalOf(`manifest ${at} `, signed, device.approver, site)).toBe(false);
    expect(await isApprovalOf(`manifest ${at}`, signed, other.approver, site)).toBe(false);
  }
});

test("an approval whose parts are cut or made up is none, and no error", async () => {
  const device = authenticator("ada", site.origin);
  const signed = device.sign("manifest");
  for (const bad of [
    { ...signed, signature: signed.signature.slice(0, 12) },
    { ...signed, clientData: "bm9uZQ" },
    { ...signed, authenticatorData: "AAAA" },
  ])
    expect(await isApprovalOf("manifest", bad, device.approver, site)).toBe(false);
});
