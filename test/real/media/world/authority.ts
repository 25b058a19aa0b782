import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ran } from "./commands.ts";

/** Who is asked on the internet, and answered by `outside.ts`. */
export const outsideNames = [
  "acme-v02.api.letsencrypt.org",
  "acme.zerossl.com",
  "api.zerossl.com",
  "api.digitalocean.com",
  "registry-1.docker.io",
  "auth.docker.io",
  "hooks.example.com",
  "console.example.com",
  "redis.example.com",
  "localhost",
];

/** The account that ZeroSSL gives for an email address, and pebble knows. */
export const externalAccount = {
  eab_kid: "account-of-the-proof",
  eab_hmac_key: "dGhlIGtleSBvZiBhbiBhY2NvdW50IGF0IFplcm9TU0w",
};

/** An authority of this run alone, in `folder`, and a certificate of it for the names outside. */
export function makeAuthority(folder: string) {
  const file = (name: string) => join(folder, name);
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  ran([
    ...["openssl", "req", "-x509", ...key, "-keyout", file("authority.key")],
    ...["-out", file("authority.pem"), "-subj", "/CN=Authority of the proof"],
  ]);
  const names = `subjectAltName=${outsideNames.map((name) => `DNS:${name}`).join(",")},IP:127.0.0.1`;
  ran([
    ...["openssl", "req", ...key, "-keyout", file("outside.key"), "-out", file("outside.csr")],
    ...["-subj", "/CN=outside"],
  ]);
  writeFileSync(file("outside.cnf"), names);
  ran([
    ...["openssl", "x509", "-req", "-in", file("outside.csr"), "-days", "2", "-CAcreateserial"],
    ...["-CA", file("authority.pem"), "-CAkey", file("authority.key")],
    ...["-extfile", file("outside.cnf"), "-out", file("outside.pem")],
  ]);
  return {
    authority: readFileSync(file("authority.pem"), "utf8"),
    keyFile: file("outside.key"),
    certificateFile: file("outside.pem"),
  };
}
