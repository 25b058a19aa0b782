// What agents record of their sessions: by the receiver of the bundle, and bodies as both SDKs send them.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { logs, metrics, recordingHeader, traces } from "../../support/deployments/insights/otlp.ts";
import {
  insightsToken,
  insightsPaths as paths,
  readingOf,
  recording,
  reportLines,
  startReceiver,
  writing,
} from "../../support/deployments/insights/receiver.ts";

vi.setConfig({ testTimeout: 60_000 });
const patience = { timeout: 50_000 };

const canary = "canary-5e11";
const job = "AJ_abcdefgh1234";
const room = "RM_k3KR8L8i5SJd";
const ids = { job_id: job, room_id: room };
const start = 1_795_800_262_000;
const second = start / 1000;

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
        ...{ id: `bbbbbbbbbbbb${String(number).padStart(4, "0")}`, name: "llm_node" },
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
  expect(reportLines(report, "agent")).toEqual([
    [
      ...[expect.stringMatching(/^\d+$/), job, room, "agent=desk", "sdk=1.8.9"],
      ...[`started=${start}`, `ended=${start + 12_268}`, "reason=CR_USER_INITIATED"],
      ...["errors-llm=2", "audio=1"],
    ],
  ]);
  expect(reportLines(report, "agent-usage")).toEqual([["model=m-1", "input_tokens=31"]]);
  expect(reportLines(report, "agent-entry")).toEqual([
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
  expect(reportLines(report, "agent-entry")).toEqual([
    [`at=${start + 1000}`, "by=user"],
    [`at=${start + 2000}`, "by=agent"],
  ]);
});

test("where the talk was not sent, the timeline comes of the spans", async () => {
  await using receiver = await startReceiver();
  await receiver.send(paths.traces, { body: spans(), isGzip: true });
  await receiver.send(paths.recordings, recording({ header: header({}) }));
  await receiver.hasRead("recordings", 1);
  expect(reportLines(receiver.report(), "agent-entry")).toEqual([
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
  expect(reportLines(report, "agent")).toHaveLength(1);
  expect(reportLines(report, "agent-entry")).toHaveLength(120);
  expect(report.length).toBeLessThan(16_000);
  const [through] = reportLines(report, "agents")[0] ?? [];
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
    "of yesterday's job": insightsToken({ ...writing, nbf: now - 86_500, exp: now - 64_900 }),
    "without a beginning, and over": insightsToken({ ...writing, nbf: undefined, exp: now - 90 }),
    "of later": insightsToken({ ...writing, nbf: now + 90 }),
    none: "",
  };
  for (const [name, token] of Object.entries(tokens)) {
    const { status } = await receiver.send(paths.traces, { token, body: spans(), isGzip: true });
    expect([name, status]).toEqual([name, 401]);
  }
  expect(readdirSync(join(receiver.folder, "incoming"))).toEqual([]);
});

test("a token of JavaScript's SDK, which makes none while a job lasts, is good for a job of a day; one to read ends when it says", async () => {
  await using receiver = await startReceiver();
  const now = Math.floor(Date.now() / 1000);
  const over = { nbf: now - 8 * 3_600, exp: now - 2 * 3_600 };
  const sent = recording({ header: header() });
  const { status } = await receiver.send(paths.recordings, {
    ...{ ...sent, token: insightsToken({ ...writing, ...over }) },
  });
  expect(status).toBe(200);
  await receiver.hasRead("recordings", 1);
  const both = { observability: { write: true, read: job } };
  for (const claims of [readingOf(job), both]) {
    const token = insightsToken({ ...claims, ...over });
    const path = `/observability/insights/${job}`;
    expect((await receiver.send(path, { method: "GET", token })).status).toBe(401);
  }
});

test("what anybody's code logs is no name: only LiveKit's own record says what the agent and its SDK are called", async () => {
  await using receiver = await startReceiver();
  const attributes = {
    ...{ ...ids, agent_name: "ann_alone", "lk.agent_name": "ann_alone", sdk_version: "7.7.7" },
    usage: { model: "ann_alone", input_tokens: 7 },
    "chat.item": { function_call: { name: "ann_alone" } },
  };
  await receiver.send(paths.logs, {
    ...{ isGzip: true, body: logs("app", [{ at: start, body: "hello", attributes }]) },
  });
  const named = { ...ids, agent_name: "desk", sdk_version: "1.8.9" };
  await receiver.send(paths.logs, {
    ...{ isGzip: true },
    body: logs("chat_history", [{ at: start, body: "session report", attributes: named }]),
  });
  await receiver.send(paths.recordings, recording({ header: header({}) }));
  await receiver.hasRead("recordings", 1);
  const report = receiver.report();
  expect(report).not.toMatch(/ann_alone|7\.7\.7/);
  expect(reportLines(report, "agent")[0]).toEqual(
    expect.arrayContaining(["agent=desk", "sdk=1.8.9"]),
  );
});

test("without sound and traces the talk says when a session began and ended", async () => {
  await using receiver = await startReceiver();
  const silent = recordingHeader({ room, job, start: 0, duration: 0, roomName: "r" });
  await receiver.send(
    paths.recordings,
    recording({ header: silent, chat_history: JSON.stringify(talk) }),
  );
  await receiver.hasRead("recordings", 1);
  expect(reportLines(receiver.report(), "agent")[0]).toEqual(
    expect.arrayContaining([`started=${start + 1000}`, `ended=${start + 3000}`]),
  );
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
  const answerTo = (path: string, length: number, part: Buffer) =>
    new Promise<string>((resolve) => {
      const socket = connect(receiver.port(), "127.0.0.1");
      let answer = "";
      socket.on("data", (received) => (answer += received)).on("close", () => resolve(answer));
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${insightsToken(writing)}\r\nContent-Type: ${whole.type}\r\nContent-Length: ${length}\r\n\r\n`,
      );
      socket.end(part);
    });
  expect(
    await answerTo(paths.recordings, whole.body.length, whole.body.subarray(0, 20_000)),
  ).toContain(" 413 ");
  expect(await answerTo(paths.metrics, 4_000_001, Buffer.alloc(0))).toContain(" 413 ");
  const sent = [
    await receiver.send(paths.traces, { body: Buffer.alloc(100_000_000), isGzip: true }),
    await receiver.send(paths.logs, { body: "{]", type: "application/json" }),
    await receiver.send(paths.recordings, { body: "no parts", type: whole.type }),
    await receiver.send(paths.recordings, whole),
  ];
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await receiver.hasRead("recordings", 1);
  expect(receiver.counts()).toMatchObject({ unreadable: 3, recordings: 1, recorded: 1 });
});
