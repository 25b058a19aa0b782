import { causeWords } from "../incidents/cause-words";
import { changeEntries } from "../incidents/server-history";
import { fromStored, type StoredIncident } from "../incidents/stored-incident";
import { isoOf } from "../iso-of";
import { type Range, rangeSince } from "../metrics/series";
import type { WirePage } from "../pages/wire";
import type { CallEvidence } from "../room-sessions/evidence-peers";
import type { SessionPage } from "../room-sessions/history-pages.server";
import type { Participant } from "../room-sessions/room-session";
import { timelineOf } from "../session-pages/timeline";
import { explain } from "./explain";
import { type CallFacts, endOf, minuteMs, wrongAt } from "./facts";
import { figuresOver } from "./figures-over";

/** What else happened on the server is shown from so long before a call to so long after it. */
const aroundMs = 15 * minuteMs;

/** What the sessions of a server have of one participant's call. */
export type SeenCall = { page: SessionPage; participant: Participant; evidence: CallEvidence };

/** The call of one participant, with why it was as it was, as its page shows it. */
export type ExplainedCall = ReturnType<typeof explainedCall>;

export function explainedCall(
  { page, participant, evidence }: SeenCall,
  server: WirePage & { incidents?: StoredIncident[] },
  now: number,
) {
  const { session } = page;
  const call: CallFacts = {
    ...{ now, participant, session, evidence },
    others: page.participants.filter(({ sid }) => sid !== participant.sid),
    ...(server.incidents ? { incidents: server.incidents.map(fromStored) } : {}),
    changes: server.changes,
  };
  const figures = figuresOver(server, { from: participant.joinedAt, until: endOf(call) });
  const facts = { ...call, figures };
  return {
    ...{ name: server.name, deployment: server.deployment, participant, session },
    evidence: evidence.said,
    explanations: explain(facts),
    timeline: timelineOf({ session, participants: [participant], jobs: [], agents: [] }),
    server: serverThen(facts, server.changes),
  };
}

/** The shortest range of figures that reaches back to the call. */
export function rangeOfCall({ joinedAt }: Participant, now: number): Range {
  const days = (now - joinedAt) / (24 * 60 * minuteMs);
  if (days <= 2) return rangeSince(joinedAt, now);
  return days <= 7 ? "7d" : "90d";
}

/** What was wrong with the server, and what changed on it, while the call lasted and shortly before and after. */
function serverThen(facts: CallFacts, changes: Parameters<typeof changeEntries>[0]) {
  const { joinedAt } = facts.participant;
  const wrong = new Map(
    [joinedAt, endOf(facts)]
      .flatMap((at) => wrongAt(facts, at))
      .map((cause) => [`${cause.code} ${cause.subject} ${cause.since}`, cause]),
  );
  const lines = [...wrong.values()].map((cause) => ({
    at: isoOf(cause.since),
    words: causeWords(cause).title,
  }));
  const changed = changeEntries(changes)
    .filter(({ at }) => at >= joinedAt - aroundMs && at <= endOf(facts) + aroundMs)
    .map(({ at, title, subject }) => ({
      at: isoOf(at),
      words: subject ? `${title}: ${subject}` : title,
    }));
  return [...lines, ...changed].toSorted((one, other) => one.at.localeCompare(other.at));
}
