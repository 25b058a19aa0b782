/** How long a link to a test is good for, and the longest that a token of a test is. */
export const linkSeconds = 86_400;

/**
 * What the fragment of a test's address holds: the token and, of an embedded one, the customer's own mark of whom it is
 * for. A mark of another form is left out.
 */
export function readFragment(hash: string): { token: string; reference?: string } {
  const [token = "", ...more] = hash.replace(/^#/, "").split("&");
  const reference = more.find((part) => part.startsWith("reference="))?.slice("reference=".length);
  return { token, ...(reference && isReference(reference) ? { reference } : {}) };
}

export const isReference = (text: string): boolean => /^[\w.-]{1,64}$/.test(text);
