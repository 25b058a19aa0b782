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
    for (let from = 0; from < participants; from += atOnce) {
      const count = Math.min(atOnce, participants - from);
      await ask("fill", { from, count, of: participants, days });
    }
    const { people, bytes } = JSON.parse(await ask("size", null)) as Record<string, number>;
    if (people !== participants) throw new Error(`${people} of ${participants} are stored.`);
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
      mBStored: rounded((bytes ?? 0) / 1e6, 1),
      firstPageMs: await timed("sessions", {}),
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
