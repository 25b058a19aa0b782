import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { exampleVariables } from "../../fakes/dev-vars.ts";
import { ensureChromium } from "../../scripts/lib/chromium.ts";
import { startWorker } from "../../scripts/lib/worker.ts";
import { publicPaths } from "../support/site/site-routes.ts";
import { median, rounded } from "./median.ts";

const runs = 5;
const ports = { now: 24819, before: 24829 };

/** A phone: a quarter of this machine's speed, and a slow 4G network as Lighthouse has it. */
const slowness = 4;
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

/** Medians of the runs: milliseconds to the largest paint and of tasks over 50 ms, and the layout's shift. */
type PageLoad = { largestPaint: number; longTasks: number; shift: number };

/**
 * Loads each public page on a slow phone, and where another checkout is named, the page of its build in turns with
 * ours. The other build must have been made there by `npm run build`.
 */
export async function measurePageLoads(otherCheckout?: string, paths = publicPaths()) {
  await using browser = await openBrowser();
  await using now = await startBuild(ports.now, ".");
  await using before = otherCheckout ? await startBuild(ports.before, otherCheckout) : undefined;
  const pages: Record<string, { now: PageLoad; before?: PageLoad }> = {};
  for (const path of paths) {
    const samples = { now: [] as PageLoad[], before: [] as PageLoad[] };
    while (samples.now.length < runs) {
      samples.now.push(await load(browser.browser, now.url + path));
      if (before) samples.before.push(await load(browser.browser, before.url + path));
    }
    pages[path] = {
      now: medianOf(samples.now),
      ...(before ? { before: medianOf(samples.before) } : {}),
    };
    console.log(path, JSON.stringify(pages[path]));
  }
  return { runs, pages };
}

const startBuild = (port: number, checkout: string) =>
  startWorker(
    port,
    (siteUrl) => exampleVariables({ siteUrl, portBase: 24810 }),
    join(checkout, "build/server/wrangler.json"),
  );

async function openBrowser() {
  const browser = await chromium.launch({ executablePath: ensureChromium() });
  return { browser, [Symbol.asyncDispose]: () => browser.close() };
}

/** One visit of somebody who was never here before. */
async function load(browser: Browser, url: string): Promise<PageLoad> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", network);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowness });
    await page.goto(url, { waitUntil: "networkidle", timeout: 90_000 });
    return await page.evaluate(async () => {
      /** All entries of a type since the page began. */
      const entries = (type: string) =>
        new Promise<PerformanceEntry[]>((resolve) => {
          const observer = new PerformanceObserver((list) => {
            observer.disconnect();
            resolve(list.getEntries());
          });
          observer.observe({ type, buffered: true });
          // An observer is not called when there is nothing; what is buffered comes before the next frame but one.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve([])));
        });
      const paints = await entries("largest-contentful-paint");
      const tasks = await entries("longtask");
      const shifts = (await entries("layout-shift")) as (PerformanceEntry & { value: number })[];
      return {
        largestPaint: paints.at(-1)?.startTime ?? Number.NaN,
        longTasks: tasks.reduce((sum, { duration }) => sum + duration, 0),
        shift: shifts.reduce((sum, { value }) => sum + value, 0),
      };
    });
  } finally {
    await context.close();
  }
}

function medianOf(samples: readonly PageLoad[]): PageLoad {
  const of = (name: keyof PageLoad, decimals: number) =>
    rounded(median(samples.map((each) => each[name])), decimals);
  return {
    largestPaint: of("largestPaint", 0),
    longTasks: of("longTasks", 0),
    shift: of("shift", 3),
  };
}
