import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import { exampleVariables } from "../../fakes/dev-vars.ts";
import { startNodeProgram } from "../lib/child.ts";
import { ensureChromium } from "../lib/chromium.ts";
import { readCommandLine } from "../lib/command-line.ts";
import { buildSite, isBuildCurrent } from "../lib/site-build.ts";
import { PlainFailure, step } from "../lib/terminal.mjs";
import { startWorker } from "../lib/worker.ts";
import { icons } from "./icons.ts";
import { shareCard, shareCardSize } from "./share-card.ts";
import { sharedPages } from "./shared-pages.ts";

/** A picture to be drawn: a document of this size, and its place in `public/`. */
type Picture = { html: string; width: number; height: number; path: string };

const largestBytes = 100_000;

async function draw(pictures: readonly Picture[]): Promise<void> {
  await using browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
  });
  const page = await browser.newPage({ colorScheme: "light" });
  for (const { html, width, height, path } of pictures) {
    await page.setViewportSize({ width, height });
    await page.setContent(html);
    await page.evaluate(() => document.fonts.ready);
    const png = await page.screenshot({ type: "png", omitBackground: true });
    if (png.length > largestBytes) {
      throw new PlainFailure(`${path} would have ${png.length} bytes: more than ${largestBytes}.`);
    }
    const file = join("public", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, png);
  }
}

/** Draws the icons, and for every page in the sitemap the picture that its shared link shows. */
async function main(): Promise<void> {
  if (!isBuildCurrent()) await step("Building the site", () => buildSite(startNodeProgram));
  const { pages, silent } = await step("Reading the titles of all pages", async () => {
    await using site = await startWorker(24_839, (siteUrl) =>
      exampleVariables({ siteUrl, portBase: 54_500 }),
    );
    return await sharedPages(site.url);
  });
  const cards = pages.map(({ title, path, image }) => ({
    html: shareCard({ title, path }),
    ...shareCardSize,
    path: image,
  }));
  const pictures = [...icons, ...cards];
  await step(`Drawing ${pictures.length} pictures`, () => draw(pictures));
  if (silent.length > 0) {
    throw new PlainFailure(`These pages name no picture of theirs: ${silent.join(", ")}.`);
  }
}

readCommandLine({
  usage: "npm run pictures",
  about: `Draws the icons, and the picture that a shared link to each public page shows, into public/. It takes a minute or two.`,
});

// The Worker runs here only to be read.
Object.assign(process.env, {
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
});

try {
  await main();
} catch (error) {
  if (!(error instanceof PlainFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
