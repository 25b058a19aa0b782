import * as z from "zod/mini";

/** How long keys are used without asking again: as long as the auth server's own cache keeps them. */
const freshForMs = 10 * 60 * 1_000;
/** An unknown key may be new, so the keys are read again, but not more often than this. */
const askAgainAfterMs = 60 * 1_000;

const publicKey = z.looseObject({
  kid: z.string(),
  kty: z.string(),
  key_ops: z._default(z.array(z.string()), ["verify"]),
});
const keySet = z.object({ keys: z.array(publicKey) });

export type PublishedKeys = z.output<typeof keySet>;

/** The keys that this isolate has read. There is one auth server. */
let kept: PublishedKeys | undefined;
let keptAt = 0;
let askedAt = 0;

/**
 * The public keys of the auth server; undefined when its answer is not a key set that we know. A project that
 * signs with a shared secret publishes an empty set. `wanted` is the id of the key that a token names.
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
