import { log, routeOf } from "~/platform/log/log.server";
import type { AppContext } from "./app-context";
import { networkKeys } from "./network";

export { tooOften } from "./too-often.ts";

export type LimitName =
  | "SIGN_IN_LIMIT"
  | "REFRESH_LIMIT"
  | "CHECKOUT_LIMIT"
  | "CONTACT_LIMIT"
  | "DEPLOYMENT_LIMIT"
  | "UNSAVED_LIMIT"
  | "GOOGLE_LIMIT"
  | "CONFIGURATION_LIMIT"
  | "REPORT_LIMIT"
  | "API_ADDRESS_LIMIT"
  | "UNKNOWN_TOKEN_LIMIT"
  | "CONTACT_READ_LIMIT"
  | "DOWNLOAD_LIMIT"
  | "LOOK_LIMIT"
  | "USAGE_READ_LIMIT";

/**
 * Counts one attempt by its network address and by `others`, such as the key of an account. Returns whether it is
 * within the limit. Cloudflare counts in each of its locations separately.
 */
export async function withinLimit(
  { bindings }: AppContext,
  name: LimitName,
  request: Request,
  ...others: readonly string[]
): Promise<boolean> {
  const address = request.headers.get("cf-connecting-ip") ?? "unknown";
  const steps = [...networkKeys(address).map((key) => [key]), others];
  // One step after the other: a request that is refused for its address must not use up the limit of its /48 or of
  // the account that it names.
  for (const keys of steps) {
    const outcomes = await Promise.all(keys.map((key) => bindings[name].limit({ key })));
    const exceeded = keys.filter((_, index) => !outcomes[index]?.success);
    if (exceeded.length > 0) return over(name, exceeded, request);
  }
  return true;
}

/** Counts one attempt by `key` alone, such as a person's id. Returns whether it is within the limit. */
export async function withinLimitOf(
  key: string,
  { bindings }: AppContext,
  name: LimitName,
  request: Request,
): Promise<boolean> {
  const { success } = await bindings[name].limit({ key });
  return success || over(name, [key], request);
}

/** Logs which limit was reached and by what kind of key, but not whose key. Returns false. */
function over(limit: string, keys: readonly string[], request: Request): false {
  const by = keys.map((key) => key.slice(0, key.indexOf(":"))).join(" ");
  log.warn("A limit was exceeded", { limit, by, route: routeOf(request) });
  return false;
}

/** Counts one call of an agent: by the hash of its token and by the network it came from. */
export async function withinApiLimit(
  context: AppContext,
  request: Request,
  tokenHash: string,
): Promise<boolean> {
  const [{ success }, byAddress] = await Promise.all([
    context.bindings.API_LIMIT.limit({ key: tokenHash }),
    withinLimit(context, "API_ADDRESS_LIMIT", request),
  ]);
  // When both limits are reached, the log line about the address is enough.
  if (!success && byAddress) return over("API_LIMIT", ["token:"], request);
  return byAddress;
}
