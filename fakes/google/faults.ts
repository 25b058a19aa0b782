import { z } from "zod";
import { googleError, notFound, unauthenticated } from "./api.ts";

const kinds = [
  "quota",
  "unauthenticated",
  "forbidden",
  "notFound",
  "tooMany",
  "serverError",
  "unavailable",
  "garbage",
  "lostAnswer",
] as const;

/**
 * What goes wrong with the next `times` requests whose path starts with `match`. `lostAnswer` does
 * the work and then answers as if it had failed; all others do nothing.
 */
export const faultBody = z.strictObject({
  kind: z.enum(kinds),
  match: z.string().startsWith("/").default("/"),
  method: z.string().optional(),
  /** How many requests succeed before the fault begins. */
  after: z.number().int().min(0).default(0),
  times: z.number().int().min(1).default(1000),
  /** For `tooMany`: the seconds that Retry-After asks for. */
  retryAfter: z.number().int().min(0).default(30),
});

export type Fault = z.infer<typeof faultBody>;

/** The faults that tests have asked for. */
export class Faults {
  #waiting: Fault[] = [];

  add(fault: Fault): void {
    this.#waiting.push({ ...fault });
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The fault of this request, if it has one; each is used up as it is taken. */
  take(method: string, path: string): Fault | undefined {
    const fault = this.#waiting.find(
      (each) => path.startsWith(each.match) && (!each.method || each.method === method),
    );
    if (!fault) return;
    if (fault.after > 0) {
      fault.after--;
      return;
    }
    fault.times--;
    if (fault.times === 0) this.#waiting = this.#waiting.filter((each) => each !== fault);
    return fault;
  }
}

/** What Google answers when this goes wrong. */
export function answerFault({ kind, retryAfter }: Fault): Response {
  switch (kind) {
    case "quota":
      return googleError({
        status: 403,
        name: "PERMISSION_DENIED",
        reason: "rateLimitExceeded",
        domain: "usageLimits",
        message: "Rate Limit Exceeded",
      });
    case "unauthenticated":
      return unauthenticated();
    case "forbidden":
      return googleError({
        status: 403,
        name: "PERMISSION_DENIED",
        reason: "forbidden",
        message: "The caller does not have permission",
      });
    case "notFound":
      return notFound();
    case "tooMany":
      return googleError({
        status: 429,
        name: "RESOURCE_EXHAUSTED",
        reason: "rateLimitExceeded",
        domain: "usageLimits",
        message: "Too many requests",
        headers: { "retry-after": String(retryAfter) },
      });
    case "serverError":
    case "lostAnswer":
      return googleError({
        status: 500,
        name: "INTERNAL",
        reason: "backendError",
        message: "Internal error encountered.",
      });
    case "unavailable":
      return googleError({
        status: 503,
        name: "UNAVAILABLE",
        reason: "backendError",
        message: "The service is currently unavailable.",
      });
    case "garbage":
      return new Response("<html>Temporary error</html>", {
        headers: { "content-type": "text/html" },
      });
  }
}
