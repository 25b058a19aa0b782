import { toBase64 } from "~/http/encodings/base64";
import { sha256 } from "~/http/encodings/sha256";

/** A strong entity tag made of a hash of the content (RFC 9110, section 8.8.3). */
export async function entityTag(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  return `"${toBase64((await sha256(content)).subarray(0, 18))}"`;
}

/**
 * Whether `If-None-Match` names the tag. The comparison is weak (RFC 9110, section 13.1.2): a proxy that compressed
 * the answer may have added `W/`.
 */
export function namesTag(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  const named = ifNoneMatch.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return named.includes("*") || named.includes(tag);
}
