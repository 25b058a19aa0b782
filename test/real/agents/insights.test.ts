// Sessions of each Agents SDK with a made-up model and voice, recorded by the receiver of the bundle behind its Caddy: twenty,
// or as many as AGENT_SESSIONS says; one of 60 turns; and one whose job is killed. The whole is done once for each SDK.
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { readRecording } from "~/features/deployments/insights/agent-recording.ts";
import { AgentReader, type AgentSession } from "~/features/servers/agent-sessions/agent-session.ts";
import {
  agentSessionsOf,
  agentTables,
  saveAgentSessions,
} from "~/features/servers/agent-sessions/agent-sessions.server.ts";
import {
  insightsToken,
  readingOf,
  receiverKey,
  writing,
} from "../../support/deployments/insights/receiver.ts";
import { sqliteStorage } from "../../support/servers/sqlite-storage.ts";
import { startWorld } from "./world.ts";

const canary = "canary-5e11";
const sessions = Number(process.env.AGENT_SESSIONS ?? 20);
/** However busy the machine is: a session takes as long as it takes. */
const patience = { timeout: 600_000, interval: 200 };
vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 3_600_000 });

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** What a report says of agents, whole, however many reports it takes. Of each job the last that it says. */
function reported() {
  const reader = new AgentReader();
  const texts: string[] = [];
  for (let acknowledged = 0; ; ) {
    const text = world.receiver.report(acknowledged);
    if (!text) {
      const byJob = new Map(reader.sessions.map((session) => [session.job, session]));
      return { sessions: [...byJob.values()], text: texts.join("") };
    }
    texts.push(text);
    for (const line of text.trimEnd().split("\n")) {
      const [kind = "", ...fields] = line.split("\t");
      if (kind === "agents") acknowledged = Number(fields[0]);
      reader.read(kind, fields);
    }
  }
}

/** The names of the spans that the receiver has of a job. */
async function spansOf(job: string): Promise<string[]> {
  const { spans = [] } = (await world.receiver.session(job)) as { spans?: { name: string }[] };
  return spans.map(({ name }) => name);
}

const by = ({ entries }: AgentSession, who: string) => entries.filter((entry) => entry.by === who);
/** Reading a session of the machine, as a browser does with a token that was made there. */
const soundOf = (job: string, headers: Record<string, string> = {}) =>
  fetch(`${world.front}/observability/insights/${job}/audio`, {
    headers: { authorization: `Bearer ${insightsToken(readingOf(job))}`, ...headers },
  });

/** All sessions of one SDK, one after another: the machine of the tests has two cores for all of them. */
async function recorded(sdk: "python" | "javascript") {
  await using _agent = await world.startAgent(sdk, canary);
  await world.makeRoom(`${canary} ${sdk} killed`);
  const killed = await vi.waitUntil(() => world.unendedJob(), patience);
  await vi.waitUntil(
    async () => (await spansOf(killed.job)).some((name) => name === "agent_turn"),
    patience,
  );
  process.kill(killed.pid, "SIGKILL");
  const rooms: string[] = [];
  const before = world.receiver.counts().recorded ?? 0;
  for (let number = 1; number <= sessions; number += 1) {
    rooms.push(await world.makeRoom(`${canary} ${sdk} ${number}`));
    await world.receiver.hasRead("recorded", before + number);
  }
  const long = await world.makeRoom(`${canary} ${sdk} long`);
  await world.receiver.hasRead("recorded", before + sessions + 1);
  // What a job that ended at once sends last comes after its recording, and what was killed is over when it is quiet.
  const report = await vi.waitUntil(() => {
    const found = reported();
    return found.sessions.some(({ job }) => job === killed.job) ? found : undefined;
  }, patience);
  const of = (room: string) => report.sessions.filter((session) => session.room === room);
  return {
    ...{ report, killed: report.sessions.find(({ job }) => job === killed.job) },
    ...{ usual: rooms.flatMap(of), rooms, long: of(long) },
  };
}

describe.for(["python", "javascript"] as const)("the %s SDK", (sdk) => {
  let of: Awaited<ReturnType<typeof recorded>>;
  beforeAll(async () => {
    of = await recorded(sdk);
  });

  test("twenty sessions: all turns, tool calls, latencies and the interruption are on the timeline", () => {
    expect(of.usual.map(({ room }) => room)).toEqual(of.rooms);
    for (const session of of.usual) {
      expect(by(session, "user"), session.job).toHaveLength(5);
      const answers = by(session, "agent");
      expect(answers.length, session.job).toBeGreaterThanOrEqual(4);
      for (const { llm } of answers) expect(llm, session.job).toBeGreaterThan(0);
      expect(answers[0]?.tts, session.job).toBeGreaterThan(0);
      expect(answers.map(({ isCut }) => isCut === true).slice(-2)).toEqual([true, false]);
      expect(answers.filter(({ isCut }) => isCut)).toHaveLength(1);
      const tools = by(session, "tool");
      expect(tools, session.job).toMatchObject([{ name: "find_booking", hasFailed: true }]);
      expect(session.omitted).toBe(0);
    }
  });

  test("of a job that was killed the root span never came: the turns are there", async () => {
    const { killed } = of;
    expect(await spansOf(killed?.job ?? "")).not.toContain("agent_session");
    const answers = killed ? by(killed, "agent") : [];
    expect(answers.length).toBeGreaterThanOrEqual(1);
    expect(answers.some(({ llm = 0 }) => llm > 0)).toBe(true);
  });

  test("a session of 60 turns fits its limit: nothing of it is left out", () => {
    const [long, ...others] = of.long;
    expect(others).toEqual([]);
    expect(long && by(long, "user").length).toBe(62);
    expect(long && by(long, "agent").length).toBe(62);
    expect([long?.omitted, long?.isIncomplete]).toEqual([0, false]);
  });

  test("what was said is on the machine alone: the console is sent no word of it, and stores none", async () => {
    const [{ job = "" } = {}] = of.usual;
    const whole = await world.receiver.session(job);
    expect(readRecording(whole)?.talk.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        ...[`${canary} question one`, `${canary} question two`, `${canary} tool`],
        ...[`${canary} answer`, `${canary} interrupted`],
      ]),
    );
    const logs = JSON.stringify(whole.logs);
    expect(logs).toContain(`${canary} a line of the agent's own log`);
    expect(logs).toContain(`${canary} exception of the job`);
    expect(of.report.text).not.toContain(canary);
    const sql = sqliteStorage();
    sql.exec(agentTables);
    saveAgentSessions(sql, of.report.sessions, Date.now());
    const rows = sql.exec("select * from agent_sessions").toArray();
    expect(rows.length).toBeGreaterThan(sessions);
    expect(JSON.stringify(rows)).not.toContain(canary);
    for (const room of of.rooms) expect(agentSessionsOf(sql, room)).toHaveLength(1);
  });

  test("the sound is served by the machine, in ranges too, and a browser plays it", async () => {
    const { job = "", hasAudio } = of.usual[0] ?? {};
    expect(hasAudio).toBe(true);
    const part = await soundOf(job, { range: "bytes=0-3" });
    expect([part.status, part.headers.get("content-type"), await part.text()]).toEqual([
      ...[206, "audio/ogg", "OggS"],
    ]);
    const browser = await chromium.launch({
      executablePath: inject("chromium"),
      args: ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"],
    });
    try {
      const page = await browser.newPage();
      await page.goto(world.elsewhere);
      const played = await page.evaluate(playSound, {
        address: `${world.front}/observability/insights/${job}/audio`,
        token: insightsToken(readingOf(job)),
      });
      expect(played.seconds).toBeGreaterThan(1);
      expect(played.at).toBeGreaterThan(0);
      const [caller = 1, agent = 0] = played.loudest;
      expect([caller < 0.01, agent > 0.1]).toEqual([true, true]);
    } finally {
      await browser.close();
    }
  });

  test("LiveKit's log says the SDK's version of each job that ended, by which insights check names old ones", () => {
    const version = { python: "1\\.8\\.9", javascript: "1\\.9\\.0" }[sdk];
    const line = new RegExp(`"msg": *"job ended".*"agentName": *"[^"]*".*"version": *"${version}"`);
    const ended = world.livekitLog.filter((each) => line.test(each));
    expect(ended.length).toBeGreaterThanOrEqual(sessions);
  });
});

test("behind Caddy the receiver refuses a participant's token and a foreign key, and bounds what unpacks to 100 MB", async () => {
  const send = async (path: string, token: string, body: Buffer<ArrayBuffer>) => {
    const { status } = await fetch(`${world.front}/observability/${path}/v0`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${token}`, "content-type": "application/x-protobuf" },
        "content-encoding": "gzip",
      },
      body,
    });
    return status;
  };
  const tokens = [
    insightsToken({ sub: "caller", video: { roomJoin: true, room: "r" } }),
    insightsToken(writing, { key: "APIother", secret: "s".repeat(43) }),
    insightsToken(writing, { key: receiverKey.key, secret: "x".repeat(43) }),
  ];
  const small = gzipSync("");
  for (const token of tokens)
    for (const path of ["traces/otlp", "logs/otlp", "metrics/otlp", "recordings"])
      expect(await send(path, token, small), path).toBe(401);
  const { unreadable = 0 } = world.receiver.counts();
  const large = gzipSync(Buffer.alloc(100_000_000));
  expect(await send("traces/otlp", insightsToken(writing), large)).toBe(200);
  await world.receiver.hasRead("unreadable", unreadable + 1);
});

/** In the browser: plays a sound for a moment, and says how long it is and how loud each channel. */
async function playSound({ address, token }: { address: string; token: string }) {
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  const blob = await response.blob();
  const audio = new Audio(URL.createObjectURL(blob));
  audio.muted = true;
  await audio.play();
  await new Promise<void>((resolve) => {
    audio.addEventListener("timeupdate", () => (audio.currentTime > 0 ? resolve() : undefined));
  });
  const context = new OfflineAudioContext(2, 48_000, 48_000);
  const sound = await context.decodeAudioData(await blob.arrayBuffer());
  return {
    ...{ seconds: sound.duration, at: audio.currentTime },
    loudest: [0, 1].map((channel) =>
      sound.getChannelData(channel).reduce((most, value) => Math.max(most, Math.abs(value)), 0),
    ),
  };
}
