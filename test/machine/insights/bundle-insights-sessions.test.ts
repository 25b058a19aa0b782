// Whole sessions at the receiver of agent insights: a long one, an exception in JavaScript's log, and sound in parts.
import { expect, test, vi } from "vitest";
import { recordingHeader } from "../../support/deployments/insights/otlp.ts";
import {
  insightsToken,
  insightsPaths as paths,
  readingOf,
  recording,
  reportLines,
  startReceiver,
} from "../../support/deployments/insights/receiver.ts";

vi.setConfig({ testTimeout: 60_000 });

const job = "AJ_abcdefgh1234";
const room = "RM_k3KR8L8i5SJd";
const start = 1_795_800_262_000;
const header = recordingHeader({ room, job, start, duration: 600_000, roomName: "r", summary: {} });
const sound = Buffer.concat([Buffer.from("OggS"), Buffer.alloc(40_000, 7)]);

/** A turn: a question, a tool that is called for it, and the answer. */
const turnItems = (turn: number) => {
  const at = start / 1000 + turn * 10;
  return [
    {
      ...{ id: `u${turn}`, type: "message", role: "user", content: ["?"], created_at: at },
      metrics: { transcription_delay: 0.2, end_of_turn_delay: 0.4 },
    },
    {
      ...{ id: `c${turn}`, type: "function_call", call_id: `c${turn}`, name: "find_booking" },
      ...{ arguments: "{}", created_at: at + 1 },
    },
    {
      ...{ id: `o${turn}`, type: "function_call_output", call_id: `c${turn}`, output: "none" },
      created_at: at + 1.5,
    },
    {
      ...{ id: `a${turn}`, type: "message", role: "assistant", content: ["!"] },
      ...{ created_at: at + 2, metrics: { llm_node_ttft: 0.45, tts_node_ttfb: 0.12 } },
    },
  ];
};

test("a session of 60 turns fits its limit: nothing of its timeline is left out, in one report", async () => {
  await using receiver = await startReceiver();
  const items = Array.from({ length: 60 }, (_, turn) => turnItems(turn)).flat();
  await receiver.send(
    paths.recordings,
    recording({ header, chat_history: JSON.stringify({ items }), audio: sound }),
  );
  await receiver.hasRead("recorded", 1);
  const report = receiver.report();
  expect(reportLines(report, "agent")).toHaveLength(1);
  expect(reportLines(report, "agent-entry")).toHaveLength(180);
  expect(report).not.toContain("omitted=");
  // Of the 256 KiB of a report, insights have 40,000 at most.
  expect(report.length).toBeLessThan(20_000);
});

test("an exception in a log line of JavaScript's SDK, which is an error as JSON, is stored with the line", async () => {
  await using receiver = await startReceiver();
  const error = { type: "TypeError", message: "no such table", stack: "at book" };
  const record = (value: string) => ({
    timeUnixNano: `${BigInt(start) * 1_000_000n}`,
    ...{ severityText: "ERROR", body: { stringValue: "booking failed" } },
    attributes: [
      { key: "job_id", value: { stringValue: job } },
      { key: "error", value: { stringValue: value } },
    ],
  });
  // Anybody's code may log under the same name.
  const logRecords = [JSON.stringify(error), "{broken", "none"].map(record);
  await receiver.send(paths.logs, {
    ...{
      type: "application/json",
      body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
    },
  });
  await receiver.hasRead("logs", 1);
  const { logs } = (await receiver.session(job)) as { logs: { body: string }[] };
  expect(logs.map(({ body }) => body).sort()).toEqual([
    ...["booking failed", "booking failed TypeError no such table"],
  ]);
});

test("a part of the sound is served as it was asked for, and none behind its end", async () => {
  await using receiver = await startReceiver();
  await receiver.send(paths.recordings, recording({ header, audio: sound }));
  await receiver.hasRead("recordings", 1);
  const part = async (range: string) => {
    const { status, headers, body } = await receiver.send(`/observability/insights/${job}/audio`, {
      ...{ method: "GET", token: insightsToken(readingOf(job)), range },
    });
    return [status, headers["content-range"], body.toString("latin1")];
  };
  const { length } = sound;
  const last = [206, `bytes ${length - 2}-${length - 1}/${length}`, "\u0007\u0007"];
  expect(await part("bytes=0-3")).toEqual([206, `bytes 0-3/${length}`, "OggS"]);
  expect(await part(`bytes=${length - 2}-`)).toEqual(last);
  expect(await part("bytes=-2")).toEqual(last);
  expect((await part("bytes=0-"))[1]).toBe(`bytes 0-${length - 1}/${length}`);
  expect((await part(`bytes=${length}-`)).slice(0, 2)).toEqual([416, `bytes */${length}`]);
  // What it does not understand it passes over, as HTTP asks for.
  for (const other of ["bytes=-", "bytes=0-1,3-4", "lines=0-1"])
    expect((await part(other)).slice(0, 2)).toEqual([200, undefined]);
});
