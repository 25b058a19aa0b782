import { toHex } from "./hex.ts";

/** The 32 bytes of a SHA-256. A text is hashed as UTF-8. */
export async function sha256(
  content: string | Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** The first `bytes` bytes of the SHA-256 of a text, in hexadecimal. */
export async function sha256Hex(text: string, bytes = 32): Promise<string> {
  return toHex((await sha256(text)).subarray(0, bytes));
}
