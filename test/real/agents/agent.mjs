// The same agent of JavaScript's SDK. agent.mjs PORT start; it runs in the folder in which the SDK is installed.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(join(process.env.AGENT_SDKS, "javascript", "package.json"));
const sdk = pathToFileURL(require.resolve("@livekit/agents").replace(/\.cjs$/, ".js"));
const { cli, defineAgent, llm, ServerOptions, voice } = await import(sdk.href);
const { FakeLLM } = await import(new URL("voice/testing/fake_llm.js", sdk).href);
const { z } = await import(pathToFileURL(require.resolve("zod")).href);

const canary = process.env.CANARY;
const asked = (question) => `${canary} ${question}`;
const answer = { content: asked("answer"), ttft: 30, duration: 60 };
const failure = asked("exception");
const answers = [
  { input: asked("question one"), ...answer },
  { input: asked("question two"), ...answer },
  { input: asked("tool"), ttft: 30, toolCalls: [{ name: "find_booking", args: { name: canary } }] },
];

export default defineAgent({
  entry: async (job) => {
    await job.connect();
    const session = new voice.AgentSession({ llm: new FakeLLM(answers) });
    const findBooking = llm.tool({
      description: "Finds a booking.",
      parameters: z.object({ name: z.string() }),
      execute: async () => {
        throw new Error(failure);
      },
    });
    const agent = new voice.Agent({
      instructions: asked("instructions"),
      tools: { find_booking: findBooking },
    });
    await session.start({ agent, room: job.room });
    for (const question of ["question one", "question two", "tool"])
      await session.generateReply({ userInput: asked(question) }).waitForPlayout();
    await session.close();
    job.shutdown("done");
  },
});

if (process.argv[2] && /^\d+$/.test(process.argv[2])) {
  const [port] = process.argv.splice(2, 1);
  cli.runApp(
    new ServerOptions({
      agent: fileURLToPath(import.meta.url),
      port: Number(port),
      initializeProcessTimeout: 300_000,
      numIdleProcesses: 1,
      loadFunc: async () => 0,
    }),
  );
}
