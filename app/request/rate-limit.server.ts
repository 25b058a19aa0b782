import type { RequestContext } from "./request-context";

type LimitName =
  | "SIGN_IN_LIMIT"
  | "CHECKOUT_LIMIT"
  | "CONTACT_LIMIT"
  | "DEPLOYMENT_LIMIT"
  | "GOOGLE_LIMIT"
  | "CONFIGURATION_LIMIT"
  | "API_ADDRESS_LIMIT";

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
  const network = networkOf(request.headers.get("cf-connecting-ip") ?? "unknown");
  const outcomes = await Promise.all(
    [`address:${network}`, ...others].map((key) => bindings[name].limit({ key })),
  );
  return outcomes.every(({ success }) => success);
}

/** An IPv4 address, or the first 64 bits of an IPv6 one: a customer of a network has all that follow. */
export function networkOf(address: string): string {
  const [head = "", tail] = address.toLowerCase().split("::");
  if (!address.includes(":")) return address;
  const before = head.split(":").filter(Boolean);
  const after = (tail ?? "").split(":").filter(Boolean);
  const gap =
    tail === undefined ? [] : Array(Math.max(0, 8 - before.length - after.length)).fill("0");
  const groups = [...before, ...gap, ...after].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}

/** Counts one call of an agent: by its token, named by its hash, and by where it came from. */
export async function withinApiLimit(
  asked: RequestContext,
  request: Request,
  tokenHash: string,
): Promise<boolean> {
  const [{ success }, byAddress] = await Promise.all([
    asked.bindings.API_LIMIT.limit({ key: tokenHash }),
    withinLimit(asked, "API_ADDRESS_LIMIT", request),
  ]);
  return success && byAddress;
}
