import type { GoogleFailure } from "./google-failure.server";
import { type Refusal, unsure } from "./operation";

/** The outcome for a failure of Google's; `message` replaces its sentence. */
export function refused(failure: GoogleFailure, message = failure.message): Refusal {
  const { status, kind, retryAfter } = failure;
  return {
    ok: false,
    status,
    message,
    ...((kind === "token" || kind === "scope") && { consent: true }),
    ...(retryAfter && { retryAfter }),
  };
}

/** The same for an operation that creates something: a second try could create it twice. */
export function notCreated(failure: GoogleFailure): Refusal {
  return failure.kind === "unavailable" ? refused(failure, unsure) : refused(failure);
}

/** A refusal by our own checks, with a sentence for each wrong field. */
export function wrongFields(fields: Readonly<Record<string, string>>): Refusal {
  return { ok: false, status: 400, message: Object.values(fields).join(" "), fields };
}
