import type { RequestContext } from "./request-context";

type LimitName = "SIGN_IN_LIMIT" | "CHECKOUT_LIMIT" | "CONTACT_LIMIT";

/**
 * Counts one attempt against the address it came from and whatever else names who asks.
 * Cloudflare counts per location, in a binding that all isolates share. Answers whether to go on.
 */
export async function withinLimit(
  { bindings }: RequestContext,
  name: LimitName,
  request: Request,
  ...others: readonly string[]
): Promise<boolean> {
  const address = request.headers.get("cf-connecting-ip") ?? "unknown";
  const outcomes = await Promise.all(
    [`address:${address}`, ...others].map((key) => bindings[name].limit({ key })),
  );
  return outcomes.every(({ success }) => success);
}
