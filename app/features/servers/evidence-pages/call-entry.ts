import type { StoredEvidence } from "../room-sessions/evidence-table.server";
import { nameWords } from "../session-pages/session-words";
import type { TimelineEntry } from "../session-pages/timeline";
import { failureName, figureWords } from "./evidence-words";

/** On a session's timeline, when the newest of it came: its figures are of the whole call until then. */
export function callEntry(call: StoredEvidence): TimelineEntry {
  const key = `call ${call.id}`;
  const who = nameWords(call.identity);
  const failure = failureName(call.failure);
  if (call.state === "failed") {
    return { key, at: call.at, words: `${who} did not get in: ${failure}`, isFailure: true };
  }
  const words = `The call of ${who}: ${figureWords(call)}`;
  if (!call.failure) return { key, at: call.at, words };
  return { key, at: call.at, words: `${words}, ${failure}`, isFailure: true };
}
