import type { GoogleFailure } from "./google-failure.server";
import { type Refusal, unsure } from "./operation";

/** A refusal of Google's as the outcome of a form; `message` where a tool has better words. */
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

/** The same for what makes something new, which a second try would make twice. */
export function notCreated(failure: GoogleFailure): Refusal {
  return failure.kind === "unavailable" ? refused(failure, unsure) : refused(failure);
}

/** A refusal of our own, at the fields that it is about. */
export function wrongFields(fields: Readonly<Record<string, string>>): Refusal {
  return { ok: false, status: 400, message: Object.values(fields).join(" "), fields };
}
