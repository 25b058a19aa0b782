import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import lighthouse from "lighthouse";
import { chromium } from "playwright-core";
import { exampleVariables } from "../../fakes/dev-vars.ts";
import { ensureChromium } from "../../scripts/lib/chromium.ts";
import { startWorker } from "../../scripts/lib/worker.ts";
import { publicPaths } from "../support/site/site-routes.ts";
import { median, rounded } from "./median.ts";

const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const debuggingPort = 24806;
const runs = 3;

/** What each page has to reach, of 100. A page that only reads brings no React. */
const aims = { reading: 100, other: 98 };
/** In milliseconds, where somebody comes to buy. */
const largestPaintAims: Readonly<Record<string, number>> = { "/signup": 1_500 };

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

/** From 0 to 100, and the audits that keep a category from 100. */
type Scores = Record<(typeof categories)[number], number> & {
  /** Cumulative layout shift. */
  shift: number;
  /** When the largest part of the page was painted, on the simulated phone, in milliseconds. */
  largestPaintMs: number;
  /** Whether the page is sent without React. */
  isReading: boolean;
  faults: string[];
};

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

/** The pages that do not reach what they have to, in words. */
export function belowAim(scores: Readonly<Record<string, Scores>>): string[] {
  return Object.entries(scores).flatMap(([path, score]) => {
    const aim = aims[score.isReading ? "reading" : "other"];
    const low = categories.filter((category) => score[category] < aim);
    const largestPaint = largestPaintAims[path] ?? Number.POSITIVE_INFINITY;
    return [
      ...low.map((category) => `${path} has ${score[category]} of ${aim} in ${category}`),
      ...(score.shift > 0 ? [`${path} moves by ${score.shift} while it loads`] : []),
      ...(score.largestPaintMs > largestPaint
        ? [`${path} is painted after ${score.largestPaintMs} ms, not within ${largestPaint}`]
        : []),
    ];
  });
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
