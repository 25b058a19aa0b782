import { data } from "react-router";

/** Why a screen was not given what it asked for: the status of the answer, and a sentence for the person. */
export type ReadFailure = { status: 400 | 401 | 403 | 404 | 429 | 503; error: string };

/** A failure as the answer of a loader that a fetcher reads. */
export function readFailure(status: ReadFailure["status"], error: string) {
  const failure: ReadFailure = { status, error };
  return data(failure, { status, headers: { "cache-control": "no-store" } });
}

export function isFailure(answer: object): answer is ReadFailure {
  return "error" in answer;
}
