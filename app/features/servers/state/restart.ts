import type { Report, Restart, ServerRecord } from "./server-record";

/** So many wait for the history of their server at most. */
const maxRestarts = 20;

/**
 * The restarts that the history of a server has not taken, the oldest first. Nothing is added where the process is the one
 * that was heard of before, also where reports between had none.
 */
export function restartsAfter(
  { livekit, restarts = [] }: Pick<ServerRecord, "livekit" | "restarts">,
  { node }: Pick<Report, "node">,
): readonly Restart[] {
  if (!livekit || !node || livekit.id === node.id) return restarts;
  return [...restarts, { at: livekit.at, startedAt: node.startedAt }].slice(-maxRestarts);
}

/** The record once the history has taken restarts up to this one. */
export function withoutRestarts(record: ServerRecord, through: number): ServerRecord {
  const { restarts = [], ...rest } = record;
  const left = restarts.filter(({ startedAt }) => startedAt > through);
  return { ...rest, ...(left.length > 0 ? { restarts: left } : {}) };
}
