/**
 * A link to what was made. It opens in the connected account, even if the browser is signed in to others first.
 * Undefined if the address is not one of Google's.
 */
export function googleLink(address: string | undefined, email: string, words: string) {
  if (!address || !URL.canParse(address)) return;
  const url = new URL(address);
  if (url.protocol !== "https:" || !url.hostname.endsWith(".google.com")) return;
  if (email) url.searchParams.set("authuser", email);
  return { href: url.href, words };
}
