import { toBase64 } from "~/http/encodings/base64";
import { sha256 } from "~/http/encodings/sha256";
/** A strong entity tag (RFC 9110, section 8.8.3) made of a hash of the text. */
export async function entityTag(text: string): Promise<string> {
  return `"${toBase64((await sha256(text)).subarray(0, 18))}"`;
}

/** Whether If-None-Match names the tag; weak tags count too (RFC 9110, section 13.1.2). */
export function namesTag(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  const named = ifNoneMatch.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return named.includes("*") || named.includes(tag);
}
