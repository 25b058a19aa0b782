import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { median, rounded } from "../median.ts";
import { startServers } from "./servers-workerd.ts";

/** How much is measured: a test that the benchmark runs at all takes less. */
type Extent = { participants: number; runs: number };
const whole: Extent = { participants: 1_000_000, runs: 5 };
/** Evidence of each call and agents take as long to fill as ten times as many participants. */
const withCalls: Extent = { participants: 100_000, runs: 5 };

const days = 30;
/** As one call fills. Each has the events of so many reports. */
const atOnce = 20_000;

const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

type Filled = { fill(method: Fill, table: Table, of: number): Promise<number>; ask: Ask };
type Ask = (method: string, args: unknown) => Promise<string>;
type Fill = "fill" | "fillCalls" | "fillAgents";
type Table = "people" | "calls" | "agents";

/** What a month of sessions of one busy server takes, and how soon its pages and its file come. */
export function measureSessions(port: number, { participants, runs }: Extent = whole) {
  return withHistory(port, async ({ fill, ask }) => ({
    ...{ participants, days, runs, mBStored: await fill("fill", "people", participants) },
    firstPageMs: await timed(runs, () => ask("sessions", {})),
    /** One part of the file is in memory at a time. */
    firstPartMs: await timed(runs, () => ask("filePart", null)),
    mBPart: rounded((await ask("filePart", null)).length / 1e6, 2),
  }));
}

/** The same where the customer's app says how each call was, and each tenth session has an agent. */
export function measureCalls(port: number, { participants, runs }: Extent = withCalls) {
  return withHistory(port, async ({ fill, ask }) => ({
    ...{ participants, days, runs, mBStored: await fill("fill", "people", participants) },
    mBWithCalls: await fill("fillCalls", "calls", participants),
    mBWithAgents: await fill("fillAgents", "agents", Math.ceil(participants / 30)),
    evidencePageMs: await timed(runs, () => ask("evidence", {})),
  }));
}

/** `fill` answers how large all is after it, in MB. */
async function withHistory<Measured>(
  port: number,
  measure: (filled: Filled) => Promise<Measured>,
): Promise<Measured> {
  const directory = mkdtempSync(join(memory, "livekit-deploy-sessions-"));
  try {
    await using started = await startServers(directory, port);
    const ask: Ask = (method, args) => post(started.url, method, args);
    return await measure({
      ask,
      async fill(method, table, of) {
        for (let from = 0; from < of; from += atOnce) {
          await ask(method, { from, count: Math.min(atOnce, of - from), of, days });
        }
        const size = JSON.parse(await ask("size", null)) as Record<string, number>;
        if (size[table] !== of) throw new Error(`Of ${of} ${table} ${size[table]} are stored.`);
        return rounded((size.bytes ?? 0) / 1e6, 1);
      },
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The median of so many runs, in milliseconds. */
async function timed(runs: number, act: () => Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = performance.now();
    await act();
    samples.push(performance.now() - before);
  }
  return rounded(median(samples), 1);
}

async function post(url: string, method: string, args: unknown): Promise<string> {
  const address = `${url}/_bench/history?method=${method}`;
  const sent = request(address, { method: "POST", agent: false });
  sent.end(JSON.stringify(args));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode === 200) return answer;
  throw new Error(`${method} answers ${response.statusCode}: ${answer}`);
}
