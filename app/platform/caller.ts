import * as z from "zod/mini";

/** Where a request comes from. Both are undefined when the Worker acts by itself, as on its schedule. */
export type Caller = {
  address?: string | undefined;
  /** The `User-Agent` header. */
  userAgent?: string | undefined;
};

export const nobody: Caller = {};

/** The longest `User-Agent` that is passed on, in characters. The auth server stores it with the session. */
const maxUserAgent = 256;

const ipAddress = z.union([z.ipv4(), z.ipv6()]);

/** Reads both headers. Cloudflare sets `CF-Connecting-IP`; a value that is no address is dropped. */
export function callerOf(request: Request): Caller {
  const address = ipAddress.safeParse(request.headers.get("cf-connecting-ip"));
  const userAgent = request.headers.get("user-agent")?.slice(0, maxUserAgent).trim();
  return { address: address.data, userAgent: userAgent || undefined };
}
