// What agents record of their sessions: by the receiver of the bundle, and bodies as both SDKs send them.
import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { logs, metrics, recordingHeader, traces } from "../support/deployments/insights/otlp.ts";
import {
  insightsToken,
  readingOf,
  recording,
  startReceiver,
  writing,
} from "../support/deployments/insights/receiver.ts";

vi.setConfig({ testTimeout: 60_000 });
const patience = { timeout: 50_000 };

const canary = "canary-5e11";
const job = "AJ_abcdefgh1234";
const room = "RM_k3KR8L8i5SJd";
const ids = { job_id: job, room_id: room };
const start = 1_795_800_262_000;
const second = start / 1000;

const paths = {
  traces: "/observability/traces/otlp/v0",
  logs: "/observability/logs/otlp/v0",
  metrics: "/observability/metrics/otlp/v0",
  recordings: "/observability/recordings/v0",
};

const talk = {
  items: [
    {
      ...{ id: "i1", type: "message", role: "user", content: [canary], created_at: second + 1 },
      metrics: { transcription_delay: 0.2, started_speaking_at: second, [canary]: 1 },
    },
    {
      ...{ id: "i2", type: "function_call", call_id: "c1", name: "find_booking" },
      ...{ arguments: canary, created_at: second + 1.5 },
    },
    {
      ...{ id: "i3", type: "function_call_output", call_id: "c1", output: canary },
      ...{ is_error: true, created_at: second + 2.25 },
    },
    {
      ...{ id: "i4", type: "message", role: "assistant", content: [canary], interrupted: true },
      ...{ created_at: second + 3, metrics: { llm_node_ttft: 0.05, tts_node_ttfb: 0.02 } },
    },
  ],
};
const summary = {
  ...{ job_id: job, room_id: room, room: canary, options: { instructions: canary } },
  usage: [{ type: "llm_usage", model: "m-1", input_tokens: 31, [canary]: canary }],
  ...{ sdk_version: "1.8.9", agent_name: "desk", tags: [canary], duration_ms: 12_268 },
  ...{ errors: { llm: 2, [canary]: 1 }, close_reason: "CR_USER_INITIATED" },
};
const header = (more: object = { summary }) =>
  recordingHeader({ ...{ room, job, start, duration: 12_268, roomName: canary }, ...more });
const sound = Buffer.concat([Buffer.from("OggS"), Buffer.alloc(40_000, 7)]);

const spans = (count = 1) =>
  traces(
    Array.from({ length: count }, (_, number) => [
      {
        ...{ id: `aaaaaaaaaaaa${String(number).padStart(4, "0")}`, name: "agent_turn" },
        ...{ start: start + number * 1000, end: start + number * 1000 + 900 },
        attributes: { ...ids, "lk.pii.user_input": canary, "gen_ai.system_instructions": canary },
      },
      {
        ...{ id: `bbbbbbbbbbbb${String(number).padStart(4, "0")}`, name: "llm_request" },
        ...{ start: start + number * 1000 + 100, end: start + number * 1000 + 500 },
        attributes: { ...ids, "lk.response.ttft": 0.125, "lk.pii.chat_ctx": canary },
      },
      {
        ...{ id: `cccccccccccc${String(number).padStart(4, "0")}`, name: "function_tool" },
        ...{ start: start + number * 1000 + 200, end: start + number * 1000 + 450, failed: true },
        attributes: {
          ...{ ...ids, "lk.function_tool.name": "find_booking" },
          "lk.pii.function_tool.arguments": canary,
        },
      },
    ]).flat(),
  );

/** The lines of a report, by their first field. */
const linesOf = (report: string, kind: string) =>
  report
    .split("\n")
    .filter((line) => line.startsWith(`${kind}\t`))
    .map((line) => line.split("\t").slice(1));

test("a session of Python's SDK: all is stored on the machine, and the report has times, numbers and names of code alone", async () => {
  await using receiver = await startReceiver();
  const python = { isGzip: true };
  const recorded = recording({
    header: header(),
    chat_history: JSON.stringify(talk),
    audio: sound,
  });
  const statuses = [
    await receiver.send(paths.recordings, recorded),
    await receiver.send(`/${paths.traces}`, { ...python, body: spans() }),
    await receiver.send(paths.logs, {
      ...python,
      body: logs("app", [
        { at: start, body: `${canary} said`, attributes: { ...ids, "exception.message": canary } },
      ]),
    }),
    await receiver.send(paths.metrics, {
      ...python,
      body: metrics([
        {
          ...{ name: "lk.agents.usage.llm_input_tokens", at: start, value: 62 },
          attributes: { ...ids, [canary]: canary },
        },
      ]),
    }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 200]);
  await receiver.hasRead("metrics", 1);

  const session = await receiver.session(job);
  expect(session.talk).toEqual(talk.items);
  expect(session.logs).toMatchObject([{ body: `${canary} said ${canary}`, logger: "app" }]);
  expect(session.spans).toHaveLength(3);
  const audio = await receiver.send(`/observability/insights/${job}/audio`, {
    ...{ method: "GET", token: insightsToken(readingOf(job)) },
  });
  expect(audio.body.equals(sound)).toBe(true);
  expect(audio.headers["content-type"]).toBe("audio/ogg");

  const report = receiver.report();
  expect(report).not.toContain(canary);
  expect(Math.max(...report.split(/[\t\n]/).map((field) => field.length))).toBeLessThan(200);
  expect(linesOf(report, "agent")).toEqual([
    [
      ...[expect.stringMatching(/^\d+$/), job, room, "agent=desk", "sdk=1.8.9"],
      ...[`started=${start}`, `ended=${start + 12_268}`, "reason=CR_USER_INITIATED"],
      ...["errors-llm=2", "audio=1"],
    ],
  ]);
  expect(linesOf(report, "agent-usage")).toEqual([["model=m-1", "input_tokens=31"]]);
  expect(linesOf(report, "agent-entry")).toEqual([
    [`at=${start + 1000}`, "by=user", "stt=200"],
    [`at=${start + 1500}`, "by=tool", "name=find_booking", "took=750", "failed=1"],
    [`at=${start + 3000}`, "by=agent", "llm=50", "tts=20", "cut=1"],
  ]);
});

test("a session of JavaScript's SDK, which sends no root span and no summary, in chunks and JSON, has its turns and tools too", async () => {
  await using receiver = await startReceiver();
  const record = (item: object) => ({
    timeUnixNano: `${BigInt(start) * 1_000_000n}`,
    severityText: "INFO",
    body: { stringValue: "chat item" },
    attributes: [
      { key: "job_id", value: { stringValue: job } },
      { key: "room_id", value: { stringValue: room } },
      { key: "chat.item", value: { kvlistValue: { values: [item] } } },
    ],
  });
  const text = (value: string) => ({ stringValue: value });
  const message = (id: string, role: string) => ({
    key: "message",
    value: {
      kvlistValue: {
        values: [
          { key: "id", value: text(id) },
          { key: "role", value: text(role) },
          {
            key: "createdAt",
            value: text(new Date(start + (role === "USER" ? 1000 : 2000)).toISOString()),
          },
          { key: "content", value: { arrayValue: { values: [text(canary)] } } },
        ],
      },
    },
  });
  const records = [record(message("m1", "USER")), record(message("m2", "ASSISTANT"))];
  const scopeLogs = [{ scope: { name: "chat_history" }, logRecords: records }];
  const sent = [
    await receiver.send(paths.logs, {
      ...{ type: "application/json", body: JSON.stringify({ resourceLogs: [{ scopeLogs }] }) },
    }),
    await receiver.send(paths.traces, { body: spans(), isGzip: true, isChunked: true }),
    await receiver.send(
      paths.recordings,
      recording({ header: recordingHeader({ room, job, start: 0, duration: 0, roomName: "r" }) }),
    ),
  ];
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
  await receiver.hasRead("recordings", 1);
  const report = receiver.report();
  expect(report).not.toContain(canary);
  expect(linesOf(report, "agent-entry")).toEqual([
    [`at=${start + 1000}`, "by=user"],
    [`at=${start + 2000}`, "by=agent"],
  ]);
});

test("where the talk was not sent, the timeline comes of the spans", async () => {
  await using receiver = await startReceiver();
  await receiver.send(paths.traces, { body: spans(), isGzip: true });
  await receiver.send(paths.recordings, recording({ header: header({}) }));
  await receiver.hasRead("recordings", 1);
  expect(linesOf(receiver.report(), "agent-entry")).toEqual([
    [`at=${start}`, "by=agent", "took=900", "llm=125"],
    [`at=${start + 200}`, "by=tool", "name=find_booking", "took=250", "failed=1"],
  ]);
});

test("what is sent twice is stored once, and a session of 60 turns is one report's part", async () => {
  await using receiver = await startReceiver();
  for (const _ of [1, 2]) {
    await receiver.send(paths.traces, { body: spans(60), isGzip: true });
    await receiver.send(paths.recordings, recording({ header: header(), audio: sound }));
  }
  await receiver.hasRead("recordings", 2);
  const session = await receiver.session(job);
  expect(session.spans).toHaveLength(180);
  expect(readdirSync(join(receiver.folder, "audio"))).toEqual([`${job}.ogg`]);
  const report = receiver.report();
  expect(linesOf(report, "agent")).toHaveLength(1);
  expect(linesOf(report, "agent-entry")).toHaveLength(120);
  expect(report.length).toBeLessThan(16_000);
  const [through] = linesOf(report, "agents")[0] ?? [];
  expect(receiver.report(Number(through))).toBe("");
});

test("without a token of the API key that grants it nothing is taken, and nothing of the body is stored", async () => {
  await using receiver = await startReceiver();
  const now = Math.floor(Date.now() / 1000);
  const tokens = {
    "of a participant": insightsToken({ video: { roomJoin: true, room: "r" } }),
    "that grants nothing": insightsToken({ observability: { write: false } }),
    "to read": insightsToken(readingOf(job)),
    "of a foreign secret": insightsToken(writing, { key: "APIabcdefghijkl", secret: "x" }),
    "of a foreign key": insightsToken(writing, { key: "APIother", secret: "s".repeat(43) }),
    "that is over": insightsToken({ ...writing, exp: now - 90 }),
    "of later": insightsToken({ ...writing, nbf: now + 90 }),
    none: "",
  };
  for (const [name, token] of Object.entries(tokens)) {
    const { status } = await receiver.send(paths.traces, { token, body: spans(), isGzip: true });
    expect([name, status]).toEqual([name, 401]);
  }
  expect(readdirSync(join(receiver.folder, "incoming"))).toEqual([]);
});

test("a disk that takes nothing more holds up nobody: what does not fit into memory is left out", async () => {
  await using receiver = await startReceiver({ hasStuckDisk: true });
  const long = recording({ header: header(), audio: Buffer.alloc(80_000_000) });
  expect((await receiver.send(paths.recordings, long)).status).toBe(200);
});

test("what is read needs a token for that session: not one to write, nor of another session", async () => {
  await using receiver = await startReceiver();
  await receiver.send(paths.recordings, recording({ header: header(), audio: sound }));
  await receiver.hasRead("recordings", 1);
  const path = `/observability/insights/${job}`;
  const statuses = await Promise.all(
    [insightsToken(writing), insightsToken(readingOf("AJ_otherother")), ""].flatMap((token) => [
      receiver.send(path, { method: "GET", token }),
      receiver.send(`${path}/audio`, { method: "GET", token }),
      receiver.send(path, { method: "DELETE", token }),
    ]),
  );
  expect(statuses.map(({ status }) => status)).toEqual(Array(9).fill(401));
  const deleting = insightsToken({ observability: { delete: job } });
  expect(await receiver.send(path, { method: "DELETE", token: deleting })).toMatchObject({
    status: 200,
  });
  await vi.waitUntil(() => !existsSync(join(receiver.folder, "audio", `${job}.ogg`)), patience);
  const gone = await receiver.send(path, { method: "GET", token: insightsToken(readingOf(job)) });
  expect(gone.status).toBe(404);
});

test("switched off, it answers with the words at which the SDKs stop quietly", async () => {
  await using receiver = await startReceiver();
  mkdirSync(join(receiver.root, "opt/livekit"), { recursive: true });
  writeFileSync(join(receiver.root, "opt/livekit/insights-off"), "");
  const { status, body } = await receiver.send(paths.traces, { body: spans(), isGzip: true });
  expect([status, body.toString()]).toEqual([401, '{"message": "data recording is disabled"}']);
});

test("100 MB unpacked, half a multipart and what is in no form are bounded, and the next is read", async () => {
  await using receiver = await startReceiver();
  const whole = recording({ header: header(), audio: sound });
  const half = await new Promise<string>((resolve) => {
    const socket = connect(receiver.port(), "127.0.0.1");
    let answer = "";
    socket.on("data", (part) => (answer += part)).on("close", () => resolve(answer));
    socket.write(
      `POST ${paths.recordings} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${insightsToken(writing)}\r\nContent-Type: ${whole.type}\r\nContent-Length: ${whole.body.length}\r\n\r\n`,
    );
    socket.end(whole.body.subarray(0, 20_000));
  });
  expect(half).toContain("413");
  const sent = [
    await receiver.send(paths.traces, { body: Buffer.alloc(100_000_000), isGzip: true }),
    await receiver.send(paths.logs, { body: "{]", type: "application/json" }),
    await receiver.send(paths.recordings, { body: "no parts", type: whole.type }),
    await receiver.send(paths.recordings, whole),
  ];
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await receiver.hasRead("recordings", 1);
  expect(receiver.counts()).toMatchObject({ unreadable: 3, recordings: 1, recorded: 1 });
  expect((await receiver.send(paths.metrics, { body: Buffer.alloc(4_000_001) })).status).toBe(413);
});

test("what was answered with 200 is read after the machine failed, and what was not whole is not", async () => {
  await using receiver = await startReceiver();
  const incoming = join(receiver.folder, "incoming");
  await receiver.restart();
  const { body, type } = recording({ header: header(), audio: sound });
  writeFileSync(join(incoming, "1.body"), body);
  writeFileSync(join(incoming, "1.body.json"), JSON.stringify(["recordings", type, ""]));
  writeFileSync(join(incoming, "2.body"), body.subarray(0, 100));
  await receiver.restart();
  await receiver.hasRead("recordings", 1);
  expect(readdirSync(incoming)).toEqual([]);
  expect(linesOf(receiver.report(), "agent")).toHaveLength(1);
});

test("beyond its limit the oldest sessions are deleted, with their sound", async () => {
  await using receiver = await startReceiver({ gigabytes: 0 });
  await receiver.send(paths.recordings, recording({ header: header(), audio: sound }));
  await receiver.hasRead("recordings", 1);
  await receiver.restart();
  await vi.waitUntil(() => readdirSync(join(receiver.folder, "audio")).length === 0, patience);
});

test("a new key, new limits or a new program end it, so that its timer starts the new one", async () => {
  await using receiver = await startReceiver();
  mkdirSync(join(receiver.root, "opt/livekit"), { recursive: true });
  appendFileSync(join(receiver.root, "opt/livekit/secrets.env"), "LIVEKIT_API_KEY=other\n");
  await vi.waitUntil(() => receiver.exitCode() === 0, patience);
});
