import { toUnicode } from "../bundle/names.ts";

/** A domain in its own letters, with its punycode where that differs. */
export function displayDomain(domain: string): string {
  const letters = toUnicode(domain);
  return letters === domain ? domain : `${letters} (${domain})`;
}
