import type { SessionPage } from "../room-sessions/history-pages.server";
import { closeWords, entryWords, latencyWords } from "./agent-words";
import {
  endWords,
  jobWords,
  nameWords,
  reasonWords,
  statusWords,
  trackWords,
} from "./session-words";

/** What happened in a session, in the order of time. */
export type TimelineEntry = { key: string; at: number; words: string; isFailure?: true };

export const inOrder = (entries: readonly TimelineEntry[]): TimelineEntry[] =>
  entries.toSorted((one, other) => one.at - other.at);

export function timelineOf({
  session,
  participants,
  jobs,
  agents,
}: Pick<SessionPage, "session" | "participants" | "jobs" | "agents">): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    { key: "began", at: session.startedAt, words: "The session began" },
  ];
  for (const each of participants) {
    const { sid, joinedAt, leftAt, tracks } = each;
    const who = nameWords(each.identity);
    if (each.isAborted) {
      const why = each.reason ? `: ${reasonWords(each)}` : "";
      const words = `${who} did not get through${why}`;
      entries.push({ key: sid, at: leftAt ?? joinedAt, words, isFailure: true });
      continue;
    }
    entries.push({ key: `${sid} in`, at: joinedAt, words: `${who} joined` });
    for (const track of tracks) {
      const words = trackWords(track);
      entries.push({
        key: `${sid} ${track.sid}`,
        at: track.from,
        words: `${who} published ${words}`,
      });
      if (track.until !== undefined && track.until !== leftAt) {
        const key = `${sid} ${track.sid} end`;
        entries.push({ key, at: track.until, words: `${who} stopped ${words}` });
      }
    }
    if (leftAt !== undefined) {
      const isUsual = each.reason === "CLIENT_INITIATED" && !each.isAssumed;
      const why = isUsual ? "" : `: ${reasonWords(each)}`;
      entries.push({ key: `${sid} out`, at: leftAt, words: `${who} left${why}` });
    }
  }
  for (const job of jobs) {
    const name = jobWords(job);
    if (job.startedAt) entries.push({ key: job.id, at: job.startedAt, words: `${name} began` });
    const failure = job.hasFailed ? { isFailure: true as const } : {};
    if (job.endedAt !== undefined) {
      const words = `${name} ended: ${statusWords(job)}`;
      entries.push({ key: `${job.id} end`, at: job.endedAt, words, ...failure });
    }
  }
  entries.push(...agentEntries(agents));
  if (session.endedAt !== undefined) {
    const why = session.end && endWords[session.end];
    const words = `The session ended${why ? `: ${why}` : ""}`;
    entries.push({ key: "ended", at: session.endedAt, words });
  }
  return inOrder(entries);
}

/** Where there are several agents, each entry says whose it is. */
function agentEntries(agents: SessionPage["agents"]): TimelineEntry[] {
  return agents.flatMap(({ job, agent, startedAt, endedAt, reason, entries }) => {
    const name = agent || job;
    const whose = agents.length > 1 ? `${name}: ` : "";
    const turns = entries.map((entry, at): TimelineEntry => {
      const words = [entryWords(entry), latencyWords(entry)].filter(Boolean).join(": ");
      const failure = entry.hasFailed ? { isFailure: true as const } : {};
      return { key: `${job} ${at}`, at: entry.at, words: `${whose}${words}`, ...failure };
    });
    const ended = `Agent ${name} ended: ${closeWords(reason)}`;
    return [
      ...(startedAt ? [{ key: job, at: startedAt, words: `Agent ${name} began` }] : []),
      ...turns,
      ...(endedAt ? [{ key: `${job} end`, at: endedAt, words: ended }] : []),
    ];
  });
}
