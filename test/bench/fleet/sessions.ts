import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { median, rounded } from "../median.ts";
import { startServers } from "./servers-workerd.ts";

/** How much is measured: a test that the benchmark runs at all takes less. */
const whole = { participants: 1_000_000, runs: 5 };

const days = 30;
/** As one call fills. Each has the events of so many reports. */
const atOnce = 20_000;

const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** What a month of sessions of one busy server takes, and how soon its pages and its file come. */
export async function measureSessions(port: number, { participants, runs }: typeof whole = whole) {
  const directory = mkdtempSync(join(memory, "livekit-deploy-sessions-"));
  try {
    await using started = await startServers(directory, port);
    const ask = (method: string, args: unknown) => post(started.url, method, args);
    /** Fills with so many of these; answers how large all is then, in MB. */
    const fill = async (method: string, table: "people" | "calls" | "agents", of: number) => {
      for (let from = 0; from < of; from += atOnce) {
        await ask(method, { from, count: Math.min(atOnce, of - from), of, days });
      }
      const size = JSON.parse(await ask("size", null)) as Record<string, number>;
      if (size[table] !== of) throw new Error(`Of ${of} ${table} ${size[table]} are stored.`);
      return rounded((size.bytes ?? 0) / 1e6, 1);
    };
    const mBStored = await fill("fill", "people", participants);
    const mBWithCalls = await fill("fillCalls", "calls", participants);
    const mBWithAgents = await fill("fillAgents", "agents", Math.ceil(participants / 30));
    const timed = async (method: string, args: unknown) => {
      const samples: number[] = [];
      for (let run = 0; run < runs; run += 1) {
        const before = performance.now();
        await ask(method, args);
        samples.push(performance.now() - before);
      }
      return rounded(median(samples), 1);
    };
    return {
      ...{ participants, days, runs },
      ...{ mBStored, mBWithCalls, mBWithAgents },
      firstPageMs: await timed("sessions", {}),
      evidencePageMs: await timed("evidence", {}),
      /** One part of the file is in memory at a time. */
      firstPartMs: await timed("filePart", null),
      mBPart: rounded((await ask("filePart", null)).length / 1e6, 2),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
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
