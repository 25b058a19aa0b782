// The same agent of JavaScript's SDK. agent.mjs start; the SDK is in the folder javascript of $AGENT_SDKS.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(join(process.env.AGENT_SDKS, "javascript", "package.json"));
const sdk = pathToFileURL(require.resolve("@livekit/agents").replace(/\.cjs$/, ".js"));
const { cli, defineAgent, llm, log, ServerOptions, voice } = await import(sdk.href);
const { FakeLLM } = await import(new URL("voice/testing/fake_llm.js", sdk).href);
const { z } = await import(pathToFileURL(require.resolve("zod")).href);
const { AudioFrame } = require("@livekit/rtc-node");

const canary = process.env.CANARY;
const worded = (text) => `${canary} ${text}`;
const rate = 48_000;

const longTalk = Array.from({ length: 60 }, (_, number) => `question ${number + 1}`);
const shortTalk = ["question one", "question two", "tool"];
const answer = { content: worded("answer"), ttft: 30, duration: 60 };
const answers = [
  ...[...longTalk, ...shortTalk.slice(0, 2), "interrupted", "question three"].map((input) => ({
    ...{ input: worded(input), ...answer },
  })),
  {
    ...{ input: worded("tool"), ttft: 30 },
    toolCalls: [{ name: "find_booking", args: { name: canary } }],
  },
];

/** Plays to nobody, for as long as the sound takes. */
class Speaker extends voice.AudioOutput {
  #seconds = 0;
  #playing;

  async captureFrame(frame) {
    await super.captureFrame(frame);
    if (this.#seconds === 0) this.onPlaybackStarted(Date.now());
    this.#seconds += frame.samplesPerChannel / frame.sampleRate;
  }

  flush() {
    super.flush();
    if (this.#seconds === 0) return;
    const seconds = this.#seconds;
    this.#seconds = 0;
    this.#playing = setTimeout(() => this.#end(seconds, false), seconds * 1000);
    // What is to be interrupted is long.
    if (seconds > 1) setTimeout(() => this.emit("plays"), 200);
  }

  clearBuffer() {
    if (this.#playing) this.#end(0.2, true);
  }

  #end(playbackPosition, interrupted) {
    clearTimeout(this.#playing);
    this.#playing = undefined;
    this.onPlaybackFinished({ playbackPosition, interrupted });
  }
}

function tone(seconds) {
  const samples = Math.floor(rate * seconds);
  const wave = Int16Array.from({ length: samples }, (_, at) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * 440 * at) / rate)),
  );
  return new AudioFrame(wave, rate, 1, samples);
}

class Desk extends voice.Agent {
  constructor(seconds) {
    const findBooking = llm.tool({
      description: "Finds a booking.",
      parameters: z.object({ name: z.string() }),
      execute: async ({ name }) => {
        throw new Error(worded(`exception of ${name}`));
      },
    });
    super({ instructions: worded("instructions"), tools: { find_booking: findBooking } });
    this.seconds = seconds;
  }

  async ttsNode(text) {
    for await (const _ of text);
    const frame = tone(this.seconds);
    return new ReadableStream({
      start(controller) {
        controller.enqueue(frame);
        controller.close();
      },
    });
  }
}

export default defineAgent({
  entry: async (job) => {
    await job.connect();
    const kind = job.job.room.name.split(" ").at(-1);
    const speaker = new Speaker();
    const session = new voice.AgentSession({
      ...{ llm: new FakeLLM(answers), vad: null, turnDetection: "manual" },
    });
    // Nobody speaks into it.
    session.input.audio = new (class extends voice.AudioInput {})();
    session.output.audio = speaker;
    const desk = new Desk(kind === "long" ? 0.05 : 0.5);
    await session.start({
      agent: desk,
      room: job.room,
      inputOptions: { audioEnabled: false },
      // In step with its sound nothing of a text would have been said when it is interrupted.
      outputOptions: { audioEnabled: false, transcriptionEnabled: false },
    });
    log().warn({ caller: canary }, worded("a line of the agent's own log"));
    for (const question of kind === "long" ? longTalk : shortTalk)
      await session.generateReply({ userInput: worded(question) }).waitForPlayout();
    if (kind === "killed") {
      writeFileSync(process.env.KILLED_JOB, `${process.pid} ${job.job.id}\n`);
      await new Promise(() => {});
    }
    desk.seconds = 20;
    const plays = once(speaker, "plays");
    const reply = session.generateReply({ userInput: worded("interrupted") });
    await plays;
    reply.interrupt();
    await reply.waitForPlayout();
    desk.seconds = 0.05;
    await session.generateReply({ userInput: worded("question three") }).waitForPlayout();
    log().error({ error: new Error(worded("exception of the job")) }, worded("failed"));
    await session.close();
    job.shutdown("done");
  },
});

if (process.argv[2] === "start") {
  cli.runApp(
    new ServerOptions({
      agent: fileURLToPath(import.meta.url),
      port: Number(process.env.AGENT_PORT),
      initializeProcessTimeout: 300_000,
      numIdleProcesses: 1,
      loadFunc: async () => 0,
    }),
  );
}
