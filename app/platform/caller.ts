import * as z from "zod/mini";

/** What a request tells of where it comes from. Nobody when the Worker asks by itself. */
export type Caller = {
  address?: string | undefined;
  /** What the browser calls itself. */
  userAgent?: string | undefined;
};

export const nobody: Caller = {};

/** Longer than browsers' own names; the auth server keeps it with the session. */
const longestName = 256;

const ipAddress = z.union([z.ipv4(), z.ipv6()]);

/** Cloudflare sets `CF-Connecting-IP`; whatever is no address is not passed on as one. */
export function callerOf(request: Request): Caller {
  const address = ipAddress.safeParse(request.headers.get("cf-connecting-ip"));
  const userAgent = request.headers.get("user-agent")?.slice(0, longestName).trim();
  return { address: address.data, userAgent: userAgent || undefined };
}
