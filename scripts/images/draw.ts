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
import { ensureEncoders, inFewColours } from "./encode.ts";
import { icons, icoOf } from "./icons.ts";
import { shareCard, shareCardSize } from "./share-card.ts";
import { sharedPages } from "./shared-pages.ts";

/** A picture to be drawn: a document of this size, and its place in `public/`. A card has few colours. */
type Picture = { html: string; width: number; height: number; path: string; isCard?: true };

const maxBytes = 30_000;

async function draw(pictures: readonly Picture[]): Promise<void> {
  await using browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
  });
  const page = await browser.newPage({ colorScheme: "light" });
  for (const { html, width, height, path, isCard } of pictures) {
    await page.setViewportSize({ width, height });
    await page.setContent(html);
    await page.evaluate(() => document.fonts.ready);
    const drawn = await page.screenshot({ type: "png", omitBackground: true });
    const png = isCard ? inFewColours(drawn) : drawn;
    if (png.length > maxBytes) {
      throw new PlainFailure(`${path} would have ${png.length} bytes: more than ${maxBytes}.`);
    }
    const file = join("public", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, path.endsWith(".ico") ? icoOf(png, width) : png);
  }
}

/**
 * Draws the icons, for every page in the sitemap the picture that its shared link shows, and the screens of the console
 * that pages show: a test of the proof draws those, since it has the fleet that they show.
 */
async function main(): Promise<void> {
  ensureEncoders();
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
    isCard: true as const,
  }));
  const pictures = [...icons, ...cards];
  await step(`Drawing ${pictures.length} pictures`, () => draw(pictures));
  if (silent.length > 0) {
    throw new PlainFailure(`These pages name no picture of theirs: ${silent.join(", ")}.`);
  }
  await step("Drawing the screens of the console, which takes minutes", drawScreens);
}

async function drawScreens(): Promise<void> {
  const drawing = startNodeProgram("node_modules/vitest/vitest.mjs", {
    arguments: ["run", "--project", "proof", "test/proof/site/pictures/product-pictures.test.ts"],
    environment: { DRAW_PICTURES: "yes" },
  });
  if ((await drawing.exited) !== 0) {
    throw new PlainFailure(`The screens were not drawn:\n${drawing.lastLines().join("\n")}`);
  }
}

readCommandLine({
  usage: "npm run pictures",
  about: `Draws the icons, and the picture that a shared link to each public page shows, into public/, and the screens of
the console that pages show, into app/features/marketing/pictures/, each with a record of what it shows. It takes about
five minutes, and needs avifenc, cwebp and pngquant: on Debian it installs them where it may.`,
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
