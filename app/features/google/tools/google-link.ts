/**
 * What was made, as a link that opens in the connected account and not in whichever the browser has
 * first. Undefined where an address is not one of Google's own.
 */
export function googleLink(address: string | undefined, email: string, words: string) {
  if (!address || !URL.canParse(address)) return;
  const url = new URL(address);
  if (url.protocol !== "https:" || !url.hostname.endsWith(".google.com")) return;
  if (email) url.searchParams.set("authuser", email);
  return { href: url.href, words };
}
