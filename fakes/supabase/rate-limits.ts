import { refusal } from "./refusals.ts";

const burst = 30;

/** What one address may do: so many at once, and then so many a second. */
interface Limit {
  matches(method: string, path: string): boolean;
  perSecond: number;
}

const post = (pattern: RegExp) => (method: string, path: string) =>
  method === "POST" && pattern.test(path);
const perFiveMinutes = (count: number) => count / 300;

/** Supabase Auth's limits by address, with the defaults of supabase/config.toml. Each counts apart. */
const limits: Record<string, Limit> = {
  token: { matches: post(/^\/token$/), perSecond: perFiveMinutes(150) },
  verify: { matches: (_, path) => path === "/verify", perSecond: perFiveMinutes(30) },
  otp: { matches: post(/^\/otp$/), perSecond: perFiveMinutes(30) },
  magiclink: { matches: post(/^\/magiclink$/), perSecond: perFiveMinutes(30) },
  recover: { matches: post(/^\/recover$/), perSecond: perFiveMinutes(30) },
  resend: { matches: post(/^\/resend$/), perSecond: perFiveMinutes(30) },
  signup: { matches: post(/^\/signup$/), perSecond: perFiveMinutes(30) },
  user: {
    matches: (method, path) => method === "PUT" && path === "/user",
    perSecond: perFiveMinutes(30),
  },
  factorVerify: { matches: post(/^\/factors\/[^/]+\/verify$/), perSecond: 15 / 60 },
  factorChallenge: { matches: post(/^\/factors\/[^/]+\/challenge$/), perSecond: 15 / 60 },
};

/** Counts requests of the auth server by the address that they count as coming from. */
export class RateLimits {
  #on: boolean;
  #buckets = new Map<string, { left: number; at: number }>();

  constructor(on: boolean) {
    this.#on = on;
  }

  /** Forgets what was counted. */
  reset(): void {
    this.#buckets.clear();
  }

  /** Turns counting on or off. */
  switch(on: boolean): void {
    this.#on = on;
    this.reset();
  }

  /** The refusal of a request that is one too many, or undefined. */
  answer(request: Request, address: string): Response | undefined {
    if (!this.#on) return;
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith("/auth/v1/")) return;
    const path = pathname.slice("/auth/v1".length);
    const found = Object.entries(limits).find(([, { matches }]) => matches(request.method, path));
    if (!found) return;
    const [name, { perSecond }] = found;
    if (this.#take(`${name} ${address}`, perSecond)) return;
    return refusal(429, "over_request_rate_limit", "Request rate limit reached");
  }

  /** The same for somebody anonymous, of whom one address may sign in 30 an hour, whatever else it does. */
  anonymous(address: string): Response | undefined {
    if (!this.#on || this.#take(`anonymous ${address}`, burst / 3_600)) return;
    return refusal(429, "over_request_rate_limit", "Request rate limit reached");
  }

  #take(key: string, perSecond: number): boolean {
    const now = performance.now();
    const { left, at } = this.#buckets.get(key) ?? { left: burst, at: now };
    const full = Math.min(burst, left + ((now - at) / 1_000) * perSecond);
    const allowed = full >= 1;
    this.#buckets.set(key, { left: allowed ? full - 1 : full, at: now });
    return allowed;
  }
}
