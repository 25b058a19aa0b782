import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** A browser's half of push, by Node's own cryptography and not by the code that seals messages (RFC 8291, RFC 8188). */
export class PushReceiver {
  readonly #keys = createECDH("prime256v1");
  readonly #auth: Buffer;

  /** `fixed`: the private key and the secret in base64url, for the vectors of the RFC. */
  constructor(fixed?: { privateKey: string; auth: string }) {
    if (fixed) this.#keys.setPrivateKey(Buffer.from(fixed.privateKey, "base64url"));
    else this.#keys.generateKeys();
    this.#auth = fixed ? Buffer.from(fixed.auth, "base64url") : randomBytes(16);
  }

  /** What a subscription says of the keys. */
  get keys(): { p256dh: string; auth: string } {
    return {
      p256dh: this.#keys.getPublicKey().toString("base64url"),
      auth: this.#auth.toString("base64url"),
    };
  }

  /** The text of a body in base64url; throws where it is not sealed for this browser. */
  opened(body: string): string {
    const bytes = Buffer.from(body, "base64url");
    const salt = bytes.subarray(0, 16);
    const keyEnd = 21 + (bytes[20] ?? 0);
    const sender = bytes.subarray(21, keyEnd);
    const shared = this.#keys.computeSecret(sender);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#keys.getPublicKey(), sender]);
    const secret = Buffer.from(hkdfSync("sha256", shared, this.#auth, info, 32));
    const expand = (name: string, length: number) =>
      Buffer.from(hkdfSync("sha256", secret, salt, `Content-Encoding: ${name}\0`, length));
    const decipher = createDecipheriv("aes-128-gcm", expand("aes128gcm", 16), expand("nonce", 12));
    decipher.setAuthTag(bytes.subarray(-16));
    const record = Buffer.concat([decipher.update(bytes.subarray(keyEnd, -16)), decipher.final()]);
    const end = record.lastIndexOf(2);
    if (end < 0 || record.subarray(end + 1).some((byte) => byte !== 0)) {
      throw new Error("The record has no end");
    }
    return record.subarray(0, end).toString();
  }
}
