import type { Report, ServerRecord } from "../state/server-record";

/** LiveKit runs in another process since `startedAt`; the former one was last heard of `at`. Both by the machine's clock. */
export type Restart = { at: number; startedAt: number };

/** Undefined where the process is the one that was heard of before, also where reports between had none. */
export function restartOf({ livekit }: ServerRecord, { node }: Report): Restart | undefined {
  if (!livekit || !node || livekit.id === node.id) return;
  return { at: livekit.at, startedAt: node.startedAt };
}
