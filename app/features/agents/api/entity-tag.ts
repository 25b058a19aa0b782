/** A strong entity tag of a text: another text has another one. */
export async function entityTag(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `"${btoa(String.fromCharCode(...new Uint8Array(digest, 0, 18)))}"`;
}

/** Whether If-None-Match names the tag; weak tags count too (RFC 9110, section 13.1.2). */
export function namesTag(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  const named = ifNoneMatch.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return named.includes("*") || named.includes(tag);
}
