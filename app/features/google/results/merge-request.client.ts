import type { FormValues } from "../questions/kept-draft.client";
import { type Outcome, unsure } from "../tools/operation";
import { browserTimeZone } from "./use-tool-call.client";

/**
 * Posts one step of a mail merge. No answer is an outcome too. A merge is a loop of up to 500 requests, each
 * of which needs the answer to the one before, and it must not be aborted by a newer submission: a fetcher
 * gives its answer to the next render, and aborts.
 */
export async function requestMergeStep(address: string, formValues: FormValues): Promise<Outcome> {
  const body = new URLSearchParams({ timeZone: browserTimeZone(), ...formValues });
  try {
    const response = await fetch(address, { method: "POST", body });
    return (await response.json()) as Outcome;
  } catch {
    return { ok: false, status: 503, message: unsure };
  }
}
