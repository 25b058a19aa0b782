import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import lighthouse from "lighthouse";
import { chromium } from "playwright-core";
import { exampleVariables } from "../../fakes/dev-vars.ts";
import { ensureChromium } from "../../scripts/lib/chromium.ts";
import { startWorker } from "../../scripts/lib/worker.ts";
import { publicPaths } from "../support/site/site-routes.ts";
import { categories, type Scores } from "./lighthouse-aims.ts";
import { median, rounded } from "./median.ts";

const debuggingPort = 24806;
const runs = 3;

/** Lighthouse's flags for a machine without a display; the network stays on this machine. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Lighthouse on a simulated phone and network, the median of `runs`: the shipped Worker in Miniflare, which compresses
 * as Cloudflare's edge does. In the light theme: the dark one has other colours, and nothing that loads otherwise.
 */
export async function measureLighthouse(paths = publicPaths()) {
  await using site = await startWorker(24819, (siteUrl) =>
    exampleVariables({ siteUrl, portBase: 24810 }),
  );
  await using browser = await openBrowser();
  const scores: Record<string, Scores> = {};
  for (const path of paths) {
    const url = site.url + path;
    const isReading = !(await (await fetch(url)).text()).includes('rel="modulepreload"');
    const samples: Scores[] = [];
    while (samples.length < runs) samples.push({ ...(await run(url, browser.port)), isReading });
    scores[path] = medianOf(samples);
    console.log(path, JSON.stringify(scores[path]));
  }
  return { runs, scores };
}

async function openBrowser() {
  const profile = mkdtempSync(join(tmpdir(), "livekit-deploy-lighthouse-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: ensureChromium(),
    args: [...flags, `--remote-debugging-port=${debuggingPort}`],
  });
  return {
    port: debuggingPort,
    async [Symbol.asyncDispose]() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

async function run(url: string, port: number): Promise<Omit<Scores, "isReading">> {
  const result = await lighthouse(url, {
    port,
    logLevel: "error",
    output: "json",
    onlyCategories: [...categories],
  });
  if (!result || result.lhr.runtimeError) {
    throw new Error(`Lighthouse did not measure ${url}: ${result?.lhr.runtimeError?.message}`);
  }
  const { lhr } = result;
  const of = (name: (typeof categories)[number]) =>
    Math.round((lhr.categories[name]?.score ?? Number.NaN) * 100);
  const faults = categories.flatMap((name) =>
    (lhr.categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => id),
  );
  return {
    performance: of("performance"),
    accessibility: of("accessibility"),
    "best-practices": of("best-practices"),
    seo: of("seo"),
    shift: rounded(lhr.audits["cumulative-layout-shift"]?.numericValue ?? Number.NaN, 3),
    largestPaintMs: Math.round(lhr.audits["largest-contentful-paint"]?.numericValue ?? Number.NaN),
    faults,
  };
}

function medianOf(samples: readonly Scores[]): Scores {
  const of = (name: Exclude<keyof Scores, "faults" | "isReading">) =>
    median(samples.map((each) => each[name]));
  return {
    performance: of("performance"),
    accessibility: of("accessibility"),
    "best-practices": of("best-practices"),
    seo: of("seo"),
    shift: of("shift"),
    largestPaintMs: of("largestPaintMs"),
    isReading: samples.every(({ isReading }) => isReading),
    faults: [...new Set(samples.flatMap(({ faults }) => faults))],
  };
}
