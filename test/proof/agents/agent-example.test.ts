import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeEach, expect, test } from "vitest";
import { defaultConfiguration } from "../../../app/content/model-configuration.ts";
import { serveOnLoopback } from "../../../fakes/loopback-server.ts";
import { changeOwn, newTokenOf, usageOf, userConfiguration } from "../../support/agents/agent.ts";
import { database } from "../../support/database/database.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { pollUntil } from "../../support/site/poll.ts";

beforeEach(resetFakes);

/** The example of /docs/agents, as somebody who copies it has it. */
function exampleAgent(): string {
  const page = readFileSync("app/content/docs/agents.md", "utf8");
  const text = /```typescript agent\.ts\n([\s\S]*?)```/.exec(page)?.[1];
  if (!text) throw new Error("/docs/agents has no agent.ts");
  return text;
}

const done = (event_id: string, usage: object | undefined = usageOf(100, 60)) => ({
  identity: "ada",
  event: { type: "response.done", event_id, response: { usage } },
});

/** The example, running in a folder of its own, with what it says and how it ended. */
async function startAgent(token: string, site = siteUrl) {
  const folder = await mkdtempDisposable(join(tmpdir(), "agent-"));
  await writeFile(join(folder.path, "agent.ts"), exampleAgent());
  await writeFile(join(folder.path, "package.json"), '{"type":"module"}');
  const agent = spawn(process.execPath, ["--no-warnings", "agent.ts"], {
    cwd: folder.path,
    env: {
      ...process.env,
      LIVEKIT_DEPLOY_URL: site,
      LIVEKIT_DEPLOY_TOKEN: token,
      POLL_MS: "200",
      BATCH_MS: "50",
    },
  });
  const exited = once(agent, "exit");
  const outputLines: unknown[] = [];
  const complaints: string[] = [];
  createInterface({ input: agent.stdout }).on("line", (line) => outputLines.push(JSON.parse(line)));
  createInterface({ input: agent.stderr }).on("line", (line) => complaints.push(line));
  const hear = (line: object | string) =>
    pollUntil(
      () => outputLines.concat(complaints),
      (lines) => lines.some((each) => JSON.stringify(each) === JSON.stringify(line)),
      30_000,
    );
  const write = (...lines: object[]) =>
    agent.stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return { agent, exited, complaints, hear, write, [Symbol.asyncDispose]: folder.remove };
}

test("the agent of /docs/agents reads its configuration, follows a change and reports usage once", async () => {
  const owner = await customer();
  const token = await newTokenOf(owner);
  await changeOwn(owner, { intent: "set-allowance", identity: "ada", tokens: "300" });
  await using running = await startAgent(token);
  const { agent, exited, complaints, hear, write } = running;

  await hear({ configuration: defaultConfiguration });
  const changed = await changeOwn(owner, {
    intent: "save",
    version: "0",
    model: "gpt-realtime",
    instructions: "Say hello.",
    voice: "nova",
    "inputAudioTranscription.model": "whisper-2",
  });
  expect(changed.ok).toBe(true);
  await hear({
    configuration: {
      ...defaultConfiguration,
      model: "gpt-realtime",
      instructions: "Say hello.",
      voice: "nova",
      inputAudioTranscription: { model: "whisper-2" },
    },
  });
  write({ identity: "ada", event: { type: "response.created" } });
  write(done("event_1"));
  await hear({ recorded: 1, duplicates: 0 });
  write(done("event_1"));
  await hear({ recorded: 0, duplicates: 1 });
  write({
    ...done("event_0"),
    event: { type: "response.done", event_id: "event_0", response: {} },
  });
  write(done("event_2"));
  await hear({ spent: "ada" });
  write(done("event_3"));
  agent.stdin.end();
  expect(await exited).toEqual([0, null]);
  expect(complaints).toEqual([]);
  const { data } = await database
    .from("token_usage_events")
    .select("event_id")
    .order("event_id")
    .throwOnError();
  expect(data.map(({ event_id }) => event_id)).toEqual(["event_1", "event_2", "event_3"]);
  const { data: days } = await database
    .from("token_usage_days")
    .select("identity, responses, input_tokens, output_tokens")
    .throwOnError();
  expect(days).toEqual([{ identity: "ada", responses: 3, input_tokens: 300, output_tokens: 180 }]);
});

test("the agent of /docs/agents leaves out what is refused, sends the rest, and ends with its token", async () => {
  const owner = await customer();
  const token = await newTokenOf(owner);
  await using running = await startAgent(token);
  const { agent, exited, complaints, hear, write } = running;
  await hear({ configuration: defaultConfiguration });
  agent.stdin.write("no event\n");
  await hear("This line is no event: no event");
  write(done("event_1"), { ...done("event_2"), identity: "" }, done("event_3"));
  const detail = "Must be 1 to 64 bytes of UTF-8, none of them control characters.";
  await hear({ refused: [{ pointer: "#/1/identity", detail }] });
  await hear({ recorded: 2, duplicates: 0 });
  const huge = { ...usageOf(1, 1), note: "x".repeat(1024 * 1024) };
  write(done("event_4", huge), done("event_5"));
  await hear({ refused: [{ pointer: "#/0" }] });
  await hear({ recorded: 1, duplicates: 0 });

  const [made] = (await userConfiguration(owner)).tokens;
  await changeOwn(owner, { intent: "revoke-token", token: made?.id ?? "" });
  expect(await exited).toEqual([1, null]);
  expect(complaints.at(-1)).toBe(
    "The token is unknown, revoked, ended or not for this. 0 reports were not sent.",
  );
  const { data } = await database
    .from("token_usage_events")
    .select("event_id")
    .order("event_id")
    .throwOnError();
  expect(data.map(({ event_id }) => event_id)).toEqual(["event_1", "event_3", "event_5"]);
});

test("the agent of /docs/agents leaves out the identities that are too many for a day, and sends the rest", async () => {
  const owner = await customer();
  await using running = await startAgent(await newTokenOf(owner));
  const { agent, exited, hear, write } = running;
  await hear({ configuration: defaultConfiguration });
  const events = Array.from({ length: 12 }, (_, nth) => ({
    ...done(`event_${nth}`),
    identity: `identity ${nth}`,
  }));
  write(...events);
  const detail = `${new Date().toISOString().slice(0, 10)} has its 10 identities.`;
  await hear({
    refused: [10, 11].map((place) => ({ pointer: `#/${place}/identity`, detail })),
  });
  await hear({ recorded: 10, duplicates: 0 });
  agent.stdin.end();
  expect(await exited).toEqual([0, null]);
});

test("the agent of /docs/agents waits for a site that cannot serve it when it starts", async () => {
  const refusals = [503, 429];
  const site = await serveOnLoopback(0, () => {
    const status = refusals.shift();
    return status ? new Response(null, { status }) : Response.json(defaultConfiguration);
  });
  await using running = await startAgent("lkd_token", site.url);
  const { agent, exited, complaints, hear } = running;
  await hear({ configuration: defaultConfiguration });
  expect(complaints).toEqual(
    [503, 429].map((status) => `Error: The configuration answered ${status}`),
  );
  agent.stdin.end();
  expect(await exited).toEqual([0, null]);
  await site.close();
});
