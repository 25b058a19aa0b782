import type { AgentEntry, AgentSession } from "../agent-sessions/agent-session";
import type { Participant } from "../room-sessions/room-session";

/** Why LiveKit's Agents SDK closed a session: CloseReason of livekit-agents 1.8.9. */
const reasons: Readonly<Record<string, string>> = {
  CR_USER_INITIATED: "closed by the agent's code",
  CR_JOB_SHUTDOWN: "the job was shut down",
  CR_PARTICIPANT_DISCONNECTED: "the caller left",
  CR_TASK_COMPLETED: "its task was done",
  CR_ERROR: "an error",
};

export const closeWords = (reason: string): string => reasons[reason] ?? "not said";

const errorNames: Readonly<Record<string, string>> = {
  llm: "language model",
  stt: "speech to text",
  tts: "text to speech",
  realtime: "realtime model",
  interruption: "interruption detector",
};

/** How many errors of which part; "none" without any. */
export function errorWords(errors: AgentSession["errors"]): string {
  const words = Object.entries(errors).map(
    ([part, count]) => `${count} of the ${errorNames[part] ?? part}`,
  );
  return words.join(", ") || "none";
}

/** What a model used. */
export const usageWords = ({ model, counts }: AgentSession["usage"][number]): string =>
  `${model || "A model"}: ${countWords(counts)}`;

/** Numbers with the SDK's names, such as "31 input tokens". */
export const countWords = (counts: AgentSession["usage"][number]["counts"]): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count.toLocaleString("en-US")} ${name.replaceAll("_", " ")}`)
    .join(", ");

const seconds = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1).replace(/\.0$/, "")} s`;

/** A length on a clock, such as 1:05. */
export function clockWords(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1_000));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function entryWords(entry: AgentEntry): string {
  const { by, name, hasFailed, isCut, took } = entry;
  if (by === "tool") {
    const what = `Tool ${name ?? "without a name"}${hasFailed ? " failed" : ""}`;
    return took === undefined ? what : `${what} after ${seconds(took)}`;
  }
  const who = by === "user" ? "The caller" : "The agent";
  const spoke = entry.speech ?? took;
  const what = `${who} spoke${spoke === undefined ? "" : ` for ${seconds(spoke)}`}`;
  return isCut ? `${what}, and was interrupted` : what;
}

const lengths = [
  ["reply", "reply after"],
  ["llm", "model's first word after"],
  ["tts", "voice after"],
  ["turn", "end of turn known after"],
  ["stt", "transcript after"],
] as const;

/** What of it took how long, for the column of latencies. */
export function latencyWords(entry: AgentEntry): string {
  return lengths
    .flatMap(([name, words]) => {
      const ms = entry[name];
      return ms === undefined ? [] : [`${words} ${seconds(ms)}`];
    })
    .join(", ");
}

/** The middle value of the replies: how long the caller waited for the agent. Undefined where no reply says so. */
export function middleReply({ entries }: AgentSession): string | undefined {
  const replies = entries
    .flatMap(({ by, reply, llm }) => (by === "agent" ? [reply ?? llm ?? []] : []))
    .flat()
    .sort((one, other) => one - other);
  const middle = replies[Math.floor(replies.length / 2)];
  return middle === undefined ? undefined : seconds(middle);
}

/**
 * Agents that were in the room and left, of which nothing was recorded. LiveKit calls an agent's participant after its job;
 * of hashes it is known which ones they are where nothing was recorded of any.
 */
export function unrecordedAgents(
  participants: readonly Participant[],
  agents: readonly AgentSession[],
): { count: number; identities: string[] } {
  const there = participants.filter(({ kind, leftAt }) => kind === "AGENT" && leftAt !== undefined);
  const count = Math.max(0, there.length - agents.length);
  const without = there.filter(
    ({ identity }) => !agents.some(({ job }) => identity === `=agent-${job}`),
  );
  const identities = without.length === count ? without.map(({ identity }) => identity) : [];
  return { count, identities };
}
