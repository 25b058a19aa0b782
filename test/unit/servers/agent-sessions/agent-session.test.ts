import { expect, test } from "vitest";
import { AgentReader } from "~/features/servers/agent-sessions/agent-session.ts";
import {
  clockWords,
  entryWords,
  errorWords,
  latencyWords,
  middleReply,
  unrecordedAgents,
  usageWords,
} from "~/features/servers/session-pages/agent-words.ts";
import { agentJob, agentLines } from "../../../support/servers/session-lines.ts";

const begin = 1_795_313_698_000;
const room = "RM_k3KR8L8i5SJd";

function read(lines: readonly string[]) {
  const reader = new AgentReader();
  for (const line of lines) {
    const [kind = "", ...fields] = line.split("\t");
    reader.read(kind, fields);
  }
  return reader.sessions;
}

const [session] = read(agentLines(room, begin));

test("an agent's session has its turns, tools, lengths, errors and usage", () => {
  expect(session).toMatchObject({
    ...{ job: agentJob, room, agent: "desk", sdk: "1.8.9", startedAt: begin },
    ...{ endedAt: begin + 60_000, reason: "CR_PARTICIPANT_DISCONNECTED", errors: { llm: 2 } },
    ...{ hasAudio: true, isIncomplete: false, omitted: 0 },
    usage: [{ model: "m-1", counts: { input_tokens: 124, output_tokens: 28 } }],
  });
  expect(session?.entries[2]).toEqual({
    ...{ at: begin + 10_000, by: "tool", name: "find_booking", took: 1250, hasFailed: true },
  });
});

test("what no release of ours writes is left out, and the rest is read", () => {
  const sessions = read([
    "agent-entry\tat=1\tby=user",
    "agent\t1\tsomebody\tRM_k3KR8L8i5SJd",
    "agent-entry\tat=1\tby=user",
    `agent\t2\t${agentJob}\t-\tagent=What did you say?\tsdk=1 2\tstarted=x\treason=Because\terrors-llm=many\terrors-<b>=1`,
    "agent-usage\tmodel=m 1\tinput_tokens=x",
    "agent-entry\tat=1\tby=nobody",
    "agent-entry\tat=-1\tby=user",
    "agent-entry\tat=5\tby=user\tname=a sentence\tllm=-1\tunknown=1",
  ]);
  expect(sessions).toEqual([
    {
      ...{ job: agentJob, room: "", agent: "", sdk: "", startedAt: 0, endedAt: 0, reason: "" },
      ...{ errors: {}, usage: [], entries: [{ at: 5, by: "user" }], omitted: 0 },
      ...{ hasAudio: false, isIncomplete: false },
    },
  ]);
});

test.for([
  ...["alice@acme.com", "+491234567890", "491234567890", "alice@acme", "ann bob", "ann/bob"],
])("an agent or a tool called %s has no name here", (name) => {
  const [found] = read([
    `agent\t2\t${agentJob}\t-\tagent=${name}\tsdk=${name}`,
    "agent-usage\tmodel=maker/model-4o:2@20241022\tinput_tokens=1",
    `agent-entry\tat=5\tby=tool\tname=${name}`,
  ]);
  expect(found).toMatchObject({ agent: "", sdk: "", entries: [{ at: 5, by: "tool" }] });
  expect(found?.entries[0]?.name).toBeUndefined();
  expect(found?.usage).toMatchObject([{ model: "maker/model-4o:2@20241022" }]);
});

test("pages say it in words", () => {
  if (!session) throw new Error("There is no session");
  expect(session.entries.map(entryWords)).toEqual([
    "The caller spoke",
    "The agent spoke for 4 s",
    "Tool find_booking failed after 1.3 s",
    "The agent spoke, and was interrupted",
  ]);
  expect(session.entries.map(latencyWords)).toEqual([
    "transcript after 200 ms",
    "reply after 850 ms, model's first word after 420 ms",
    "",
    "reply after 1.3 s, model's first word after 700 ms",
  ]);
  expect(middleReply(session)).toBe("1.3 s");
  expect([-5, 2_900, 65_000, 3_600_000].map(clockWords)).toEqual(["0:00", "0:02", "1:05", "60:00"]);
  expect([errorWords(session.errors), errorWords({})]).toEqual(["2 of the language model", "none"]);
  expect(session.usage.map(usageWords)).toEqual(["m-1: 124 input tokens, 28 output tokens"]);
});

test("an agent that was in the room and left without a recording is counted, and named where it is known which one it is", () => {
  const agent = {
    ...{ sid: "PA_1", identity: "a".repeat(12), kind: "AGENT", joinedAt: begin, reason: "" },
    tracks: [],
  };
  const left = { ...agent, leftAt: begin + 1 };
  const named = (identity: string) => ({ ...left, identity });
  const recorded = session ? [session] : [];
  expect(unrecordedAgents([left, left, agent, { ...left, kind: "" }], [])).toEqual({
    ...{ count: 2, identities: [left.identity, left.identity] },
  });
  expect(unrecordedAgents([left], recorded)).toEqual({ count: 0, identities: [] });
  expect(unrecordedAgents([left, left], recorded)).toEqual({ count: 1, identities: [] });
  const old = "=agent-AJ_old";
  expect(unrecordedAgents([named(old), named(`=agent-${agentJob}`)], recorded)).toEqual({
    ...{ count: 1, identities: [old] },
  });
});
