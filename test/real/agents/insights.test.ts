// Twenty sessions of each Agents SDK with a made-up model, recorded by the receiver of the bundle behind its Caddy.
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRecording } from "~/features/deployments/insights/agent-recording.ts";
import { AgentReader } from "~/features/servers/agent-sessions/agent-session.ts";
import { insightsToken, readingOf } from "../../support/deployments/insights/receiver.ts";
import { startWorld } from "./world.ts";

const canary = "canary-5e11";
const sessions = 20;

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** What a report says of agents, whole, however many reports it takes. */
function reported() {
  const reader = new AgentReader();
  const texts: string[] = [];
  for (let acknowledged = 0; ; ) {
    const text = world.receiver.report(acknowledged);
    if (!text) return { sessions: reader.sessions, text: texts.join("") };
    texts.push(text);
    for (const line of text.trimEnd().split("\n")) {
      const [kind = "", ...fields] = line.split("\t");
      if (kind === "agents") acknowledged = Number(fields[0]);
      reader.read(kind, fields);
    }
  }
}

test.for(["python", "javascript"] as const)(
  "twenty sessions of the %s SDK: all turns, tools and latencies, and no speech",
  async (sdk) => {
    const before = world.receiver.counts().recorded ?? 0;
    const rooms: string[] = [];
    {
      await using _agent = await world.startAgent(sdk, canary);
      for (let number = 1; number <= sessions; number += 1) {
        rooms.push(await world.makeRoom(`${canary} ${sdk} ${number}`));
        // One after another: the machine of the tests has two cores for all of them.
        await world.receiver.hasRead("recorded", before + number);
      }
    }
    const report = reported();
    expect(report.text).not.toContain(canary);
    const mine = report.sessions.filter(({ room }) => rooms.includes(room));
    expect(new Set(mine.map(({ room }) => room)).size).toBe(sessions);
    for (const { entries, job } of mine) {
      const by = (who: string) => entries.filter((entry) => entry.by === who);
      expect(by("user"), job).toHaveLength(3);
      expect(by("agent").length, job).toBeGreaterThanOrEqual(2);
      expect(by("agent")[0]?.llm, job).toBeGreaterThan(0);
      expect(by("tool"), job).toMatchObject([{ name: "find_booking", hasFailed: true }]);
    }
    // What was said is on the machine, for whom it made a token.
    const [{ job = "" } = {}] = mine;
    const read = readRecording(await world.receiver.session(job));
    expect(read?.talk.filter(({ who }) => who === "Caller").map(({ text }) => text)).toEqual([
      ...[`${canary} question one`, `${canary} question two`, `${canary} tool`],
    ]);
    const recorded = mine.find(({ hasAudio }) => hasAudio);
    if (!recorded) return;
    const sound = await world.receiver.send(`/observability/insights/${recorded.job}/audio`, {
      ...{ method: "GET", token: insightsToken(readingOf(recorded.job)) },
    });
    expect(sound.body.subarray(0, 4).toString()).toBe("OggS");
  },
);
