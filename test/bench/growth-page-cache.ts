import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { median, rounded } from "./median.ts";

type PageCache = typeof import("../../workers/page-cache/page-cache.ts");

const repeats = 2_000;
const rounds = 15;
const page = "x".repeat(24_000);

/** Microseconds of processor time for a page in memory and for one in KV, when 10 or 10,000 pages are kept. */
export async function measurePageCache() {
  const app = fileURLToPath(new URL("../app", import.meta.url));
  const { module } = await runnerImport<PageCache>(
    fileURLToPath(new URL("../../workers/page-cache/page-cache.ts", import.meta.url)),
    { configFile: false, logLevel: "error", resolve: { alias: { "~": app } } },
  );
  const cache = keeping(module);
  await cache.fill(0, 10);
  const pages10 = await cache.cost();
  await cache.fill(10, 10_000);
  const pages10000 = await cache.cost();
  return {
    pages10,
    pages10000,
    growth: {
      memory: rounded(pages10000.memory / pages10.memory, 2),
      kv: rounded(pages10000.kv / pages10.kv, 2),
    },
  };
}

function keeping({ servePage }: PageCache) {
  const values = new Map<string, Uint8Array<ArrayBuffer>>();
  const kv = {
    get: async (key: string) => values.get(key)?.buffer ?? null,
    put: async (key: string, value: Uint8Array<ArrayBuffer>) => void values.set(key, value),
  } as unknown as KVNamespace;
  const background: Promise<unknown>[] = [];
  const headers = { "cache-control": "public, s-maxage=86400", "content-type": "text/html" };

  async function serve(key: string): Promise<void> {
    const url = `http://127.0.0.1/${key}`;
    await servePage(new Request(url), {
      key: { key, url },
      kv,
      render: async () => new Response(page, { headers }),
      waitUntil: (work) => void background.push(work),
    });
    await Promise.all(background.splice(0));
  }

  async function microseconds(keys: (repeat: number) => string, times: number): Promise<number> {
    const samples: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = process.cpuUsage();
      for (let repeat = 0; repeat < times; repeat++) await serve(keys(repeat));
      const { user, system } = process.cpuUsage(before);
      samples.push((user + system) / times);
    }
    return rounded(median(samples), 2);
  }

  return {
    async fill(from: number, to: number): Promise<void> {
      for (let n = from; n < to; n++) await serve(`page/v1/${n}`);
    },
    async cost() {
      // More pages than memory holds, in turn: each is forgotten before it is asked for again.
      const inKv = Array.from({ length: 250 }, (_, n) => `page/v2/${n}`);
      for (const key of inKv) await serve(key);
      const fromKv = await microseconds((n) => inKv[n % inKv.length] ?? "", inKv.length);
      await serve("page/v1/9");
      return { memory: await microseconds(() => "page/v1/9", repeats), kv: fromKv };
    },
  };
}
