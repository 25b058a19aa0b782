import { expect, test } from "vitest";
import { readRecording } from "~/features/deployments/insights/agent-recording.ts";

const recording = (talk: unknown[], logs: unknown[] = []) =>
  readRecording({ room_name: "desk", audio: 40_000, talk, logs, spans: [] });

test("a talk of Python's SDK is read: who said what when, and what tools answered", () => {
  const read = recording([
    { type: "message", role: "system", content: ["Be kind."], created_at: 1_795_800_262 },
    { type: "message", role: "user", content: ["Hello", { type: "image" }], created_at: 1.5 },
    { type: "function_call", name: "find", arguments: '{"a":1}', created_at: 2 },
    { type: "function_call_output", output: "boom", is_error: true, created_at: 2.5 },
    { type: "message", role: "assistant", content: ["Sorry."], created_at: 3 },
  ]);
  expect(read).toEqual({
    ...{ room: "desk", hasAudio: true, logs: [] },
    talk: [
      { at: 1_795_800_262_000, who: "Instructions", text: "Be kind." },
      { at: 1_500, who: "Caller", text: "Hello" },
      { at: 2_000, who: "Tool find", text: '{"a":1}' },
      { at: 2_500, who: "Its answer", text: "boom", isFailure: true },
      { at: 3_000, who: "Agent", text: "Sorry." },
    ],
  });
});

test("a talk of JavaScript's logs is read too: its times are texts, and its roles are written large", () => {
  const created_at = "2026-11-29T01:36:39.199Z";
  const content = [{ text: "Hello" }];
  expect(recording([{ type: "message", role: "USER", content, created_at }])?.talk).toEqual([
    { at: Date.parse(created_at), who: "Caller", text: "Hello" },
  ]);
});

test("odd parts are left out, and another answer is no recording", () => {
  const line = { at: 1, severity: "INFO", logger: "app", body: "started", job: "AJ_x" };
  const read = recording([null, 7, { type: "agent_handoff" }, { type: "message" }], [line, "x"]);
  expect(read?.talk).toEqual([]);
  expect(read?.logs).toMatchObject([{ body: "started" }]);
  for (const answer of [null, "x", {}, { talk: [] }]) expect(readRecording(answer)).toBeUndefined();
});
