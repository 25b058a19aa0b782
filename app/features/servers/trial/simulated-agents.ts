import type { AgentEntry, AgentSession } from "../agent-sessions/agent-session";

const secondMs = 1_000;
/** A caller speaks so often. */
const everyMs = 17 * secondMs;

/** In which room the agent was, from and until when. `isTroubled`: its model was slow, and a tool of it failed. */
type Stay = { room: string; from: number; until: number; isTroubled: boolean };

/**
 * What a trial's server says of an agent that answers the phone of a restaurant: as agent insights of a machine say it,
 * without speech. In a troubled session a reply takes so long that the caller speaks over it.
 */
export function simulatedAgent({ room, from, until, isTroubled }: Stay): AgentSession {
  const turns = Math.floor((until - from) / everyMs) - 1;
  const entries = Array.from({ length: turns }, (_, turn) =>
    turnOf(from + (turn + 0.5) * everyMs, turn, isTroubled),
  ).flat();
  return {
    ...{ job: `AJ_${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`, room },
    ...{ agent: "reservations", sdk: "1.8.9", startedAt: from, endedAt: until },
    reason: "CR_PARTICIPANT_DISCONNECTED",
    errors: isTroubled ? { llm: 1 } : {},
    usage: [
      {
        model: "llm-small-2",
        counts: { input_tokens: turns * 412, output_tokens: turns * 38 },
      },
      { model: "voice-3", counts: { characters_count: turns * 96 } },
    ],
    ...{ entries, omitted: 0, hasAudio: true, isIncomplete: false },
  };
}

/** The caller, a tool in each third turn, and the agent. */
function turnOf(at: number, turn: number, isTroubled: boolean): AgentEntry[] {
  const vary = (least: number, more: number) => least + ((turn * 137 + 61) % more);
  const isSlow = isTroubled && turn % 4 === 2;
  const user = {
    ...{ at, by: "user" as const, speech: vary(1_900, 2_600) },
    ...{ stt: vary(140, 90), turn: vary(310, 160) },
  };
  const heardAt = at + user.speech + user.turn;
  const tool: AgentEntry = {
    ...{ at: heardAt + 600, by: "tool", name: turn === 0 ? "find_table" : "change_booking" },
    took: vary(280, 420),
    ...(isSlow ? { hasFailed: true as const } : {}),
  };
  const llm = isSlow ? vary(3_800, 900) : vary(390, 240);
  const tts = vary(120, 80);
  const agent: AgentEntry = {
    ...{ at: heardAt + llm + tts + 900, by: "agent", llm, tts, reply: user.turn + llm + tts },
    speech: vary(3_200, 2_400),
    ...(isSlow ? { isCut: true as const } : {}),
  };
  return turn % 3 === 0 || isSlow ? [user, tool, agent] : [user, agent];
}
