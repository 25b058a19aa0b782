import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { refuseInProduction } from "../refuse-production.ts";

// A certificate authority of this machine alone, for fakes of customers' servers. X.509 in DER (RFC 5280), as little of it
// as TLS asks for.

const folder = resolve("node_modules/.cache/livekit-deploy");
/** What trusts the fakes reads this file. */
export const authorityFile = `${folder}/authority.pem`;

/** A certificate with its key, both in PEM. */
export type Certificate = { cert: string; key: string };

type Authority = Certificate & { name: string };

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const commonName = (name: string) =>
  sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)))));
const time = (at: number) =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`));
const yes = der(0x01, Buffer.from([0xff]));
const subjectNames = oid(0x55, 0x1d, 0x11);
const basicConstraints = oid(0x55, 0x1d, 0x13);

function issue(
  subject: { name: string; names?: readonly string[]; key: KeyObject; ends: number },
  issuer: { name: string; key: KeyObject },
): string {
  const { names = [], ends } = subject;
  const extensions = [
    ...(names.length > 0
      ? [
          sequence(
            subjectNames,
            der(0x04, sequence(...names.map((name) => der(0x82, Buffer.from(name))))),
          ),
        ]
      : [sequence(basicConstraints, yes, der(0x04, sequence(yes)))]),
  ];
  const serial = Buffer.from([0x01, ...randomBytes(8)]);
  const day = 86_400_000;
  const signed = sequence(
    ...[der(0xa0, der(0x02, Buffer.from([2]))), der(0x02, serial), ecdsaWithSha256],
    ...[commonName(issuer.name), sequence(time(Math.min(Date.now(), ends) - 30 * day), time(ends))],
    ...[commonName(subject.name), subject.key.export({ type: "spki", format: "der" })],
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", signed, issuer.key));
  const text = sequence(signed, ecdsaWithSha256, signature).toString("base64");
  const lines = text.match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

const newKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();

/** An authority that nothing trusts until its certificate is handed to it. */
export function newAuthority(): Authority {
  refuseInProduction("certificate authority");
  const { privateKey, publicKey } = newKeys();
  const name = `Local authority ${randomBytes(6).toString("hex")}`;
  const ends = Date.now() + 3_650 * 86_400_000;
  const cert = issue({ name, key: publicKey, ends }, { name, key: privateKey });
  return { name, cert, key: pem(privateKey) };
}

/** This machine's authority, which is made once; processes that start together agree on one. */
export function localAuthority(): Authority {
  refuseInProduction("certificate authority");
  mkdirSync(dirname(authorityFile), { recursive: true });
  const stored = `${folder}/authority.json`;
  const mine = `${folder}/authority-${process.pid}-${randomBytes(4).toString("hex")}`;
  const make = () => {
    writeFileSync(mine, JSON.stringify(newAuthority()), { mode: 0o600 });
    try {
      linkSync(mine, stored);
    } catch {
      // Another process was first: its authority counts.
    }
    rmSync(mine);
  };
  const read = () => JSON.parse(readFileSync(stored, "utf8")) as Authority;
  let authority: Authority;
  try {
    authority = read();
  } catch {
    make();
    authority = read();
  }
  writeFileSync(mine, authority.cert);
  try {
    linkSync(mine, authorityFile);
  } catch {
    // It is there, and the same.
  }
  rmSync(mine);
  return authority;
}

/** A certificate for these names until then. */
export function certificateOf(
  authority: Authority,
  names: readonly string[],
  ends: number,
): Certificate {
  const { privateKey, publicKey } = newKeys();
  const [name = ""] = names;
  const issuer = { name: authority.name, key: createPrivateKey(authority.key) };
  return { cert: issue({ name, names, key: publicKey, ends }, issuer), key: pem(privateKey) };
}
