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
const themes = ["light", "dark"] as const;
const debuggingPort = 24806;
const runs = 5;

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
  faults: string[];
};

/**
 * Lighthouse on a simulated phone and network, the median of `runs`, in both themes: the shipped Worker
 * in Miniflare, which compresses as Cloudflare's edge does.
 */
export async function measureLighthouse(paths = publicPaths()) {
  await using site = await startWorker(24819, (siteUrl) =>
    exampleVariables({ siteUrl, portBase: 24810 }),
  );
  const scores: Record<(typeof themes)[number], Record<string, Scores>> = { light: {}, dark: {} };
  for (const theme of themes) {
    await using browser = await openBrowser(site.url, theme);
    for (const path of paths) {
      const samples: Scores[] = [];
      while (samples.length < runs) samples.push(await run(site.url + path, browser.port));
      scores[theme][path] = medianOf(samples);
      console.log(theme, path, JSON.stringify(scores[theme][path]));
    }
  }
  return { runs, scores };
}

/** A browser in which somebody has chosen the theme; Lighthouse leaves local storage as it is. */
async function openBrowser(siteUrl: string, theme: (typeof themes)[number]) {
  const profile = mkdtempSync(join(tmpdir(), "livekit-deploy-lighthouse-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: ensureChromium(),
    args: [...flags, `--remote-debugging-port=${debuggingPort}`],
  });
  const page = await context.newPage();
  await page.goto(siteUrl);
  await page.evaluate((dark) => localStorage.setItem("darkMode", String(dark)), theme === "dark");
  await page.close();
  return {
    port: debuggingPort,
    async [Symbol.asyncDispose]() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

async function run(url: string, port: number): Promise<Scores> {
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
  const of = (name: Exclude<keyof Scores, "faults">) => median(samples.map((each) => each[name]));
  return {
    performance: of("performance"),
    accessibility: of("accessibility"),
    "best-practices": of("best-practices"),
    seo: of("seo"),
    shift: of("shift"),
    largestPaintMs: of("largestPaintMs"),
    faults: [...new Set(samples.flatMap(({ faults }) => faults))],
  };
}
