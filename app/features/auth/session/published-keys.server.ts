import * as z from "zod/mini";

/** As long as the auth server's own network keeps them. */
const freshForMs = 10 * 60 * 1_000;
/** A key that is not among them may be new: they are asked for again, but not more often than this. */
const askAgainAfterMs = 60 * 1_000;

const publicKey = z.looseObject({
  kid: z.string(),
  kty: z.string(),
  key_ops: z._default(z.array(z.string()), ["verify"]),
});
const keySet = z.object({ keys: z.array(publicKey) });

export type PublishedKeys = z.output<typeof keySet>;

/** Of the one auth server that this Worker knows, for as long as its isolate lives. */
let kept: PublishedKeys | undefined;
let keptAt = 0;
let askedAt = 0;

/**
 * The public keys of the auth server; undefined when it publishes none in a form that we know. A
 * project with a shared secret publishes an empty set. `wanted` is the key that a token names.
 */
export async function publishedKeys(
  ask: () => Promise<Response>,
  wanted?: string,
): Promise<PublishedKeys | undefined> {
  const now = Date.now();
  if (kept) {
    const isThere = wanted === undefined || kept.keys.some(({ kid }) => kid === wanted);
    const isFresh = now - keptAt < (kept.keys.length > 0 ? freshForMs : askAgainAfterMs);
    if (isFresh && (isThere || now - askedAt < askAgainAfterMs)) return kept;
  }
  askedAt = now;
  const response = await ask();
  const found = keySet.safeParse(response.ok ? await response.json() : undefined);
  if (!found.success) return undefined;
  kept = found.data;
  keptAt = now;
  return kept;
}
