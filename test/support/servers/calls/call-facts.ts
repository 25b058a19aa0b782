import { explain } from "../../../../app/features/servers/explanation/explain.ts";
import type { CallFacts } from "../../../../app/features/servers/explanation/facts.ts";
import type { Cause } from "../../../../app/features/servers/incidents/incident.ts";
import type {
  Participant,
  Track,
} from "../../../../app/features/servers/room-sessions/room-session.ts";

export const second = 1_000;
const minute = 60 * second;
/** When the call that is explained began. */
export const began = Date.parse("2026-11-28T14:00:00Z");
export const at = (minutes: number) => began + minutes * minute;

const track = (source: string): Track => ({
  ...{ sid: `TR_${source}`, source, mime: "opus", size: "", from: began },
});
export const microphone = track("MICROPHONE");
export const camera = track("CAMERA");

let count = 0;
/** Somebody who was there for half an hour, sent sound and left by themselves. */
export function someone(more: Partial<Participant> = {}): Participant {
  count += 1;
  return {
    ...{ sid: `PA_${count}`, identity: `id${count}`, kind: "", joinedAt: began },
    ...{ leftAt: at(30), reason: "CLIENT_INITIATED", tracks: [microphone], ...more },
  };
}
export const left = (reason: string, minutes = 30, more: Partial<Participant> = {}) =>
  someone({ reason, leftAt: at(minutes), ...more });
export const aborted = (seconds: number, reason = "", more: Partial<Participant> = {}) =>
  someone({
    ...{ isAborted: true, reason, leftAt: began + seconds * second, tracks: [] },
    ...more,
  });

export const wrong = (code: string, since = at(-60), more: Partial<Cause> = {}) => ({
  causes: [{ code, subject: "", severity: "page" as const, since, ...more }],
});

export function facts(participant: Participant, more: Partial<CallFacts> = {}): CallFacts {
  return {
    ...{ now: at(120), participant, others: [], incidents: [], changes: [] },
    session: { startedAt: began, endedAt: at(40), end: "finished" },
    ...more,
  };
}

export const found = (given: CallFacts) =>
  explain(given).map(({ code, confidence }) => `${confidence} ${code}`);

export const others = (...each: Participant[]) => ({ others: each });
export const me = { identity: "ada" };
