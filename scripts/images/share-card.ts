import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brand } from "../../app/content/chrome.ts";
import { escapeMarkup } from "../../app/http/encodings.ts";
import { drawingFor } from "./drawings.ts";

export const shareCardSize = { width: 1200, height: 630 } as const;

const { resolve } = createRequire(import.meta.url);

function font(family: string, weights: string, file: string): string {
  const bytes = readFileSync(resolve(`@fontsource-variable/${file}`)).toString("base64");
  return `@font-face { font-family: "${family}"; font-weight: ${weights}; src: url(data:font/woff2;base64,${bytes}) format("woff2") }`;
}

const fonts = [
  font("Host Grotesk", "300 800", "host-grotesk/files/host-grotesk-latin-wght-normal.woff2"),
  font("Geist Mono", "100 900", "geist-mono/files/geist-mono-latin-wght-normal.woff2"),
].join("\n");

/** The colours of the dark theme: cards stand out among light pages. */
const style = `
:root {
  --ink: oklch(0.95 0.008 150); --ink-soft: oklch(0.74 0.012 155); --line: oklch(0.33 0.014 165);
  --line-strong: oklch(0.56 0.016 160); --well: oklch(0.215 0.013 165); --paper: oklch(0.178 0.012 168);
  --raised: oklch(0.235 0.014 165); --signal: oklch(0.84 0.19 152);
}
* { box-sizing: border-box; margin: 0 }
body {
  display: grid; grid-template: auto 1fr auto / 640px 1fr; width: 1200px; height: 630px; padding: 64px 0 60px 72px;
  background: var(--paper); color: var(--ink); font: 400 26px/1.3 "Host Grotesk";
}
.brand { display: flex; align-items: center; gap: 16px; font-weight: 600; font-size: 30px; letter-spacing: -0.025em }
.brand svg { width: 44px; height: 44px }
h1 { align-self: center; font-weight: 600; line-height: 1.06; letter-spacing: -0.025em; text-wrap: balance }
.path { font-family: "Geist Mono"; color: var(--ink-soft) }
.path b { font-weight: 400; color: var(--signal) }
.drawing { grid-area: 1 / 2 / 4 / 3; place-self: center; width: 440px; height: 500px }
svg { fill: none; stroke-linecap: round; stroke-linejoin: round }
.ink { stroke: var(--ink); stroke-width: 3 }
.thin { stroke: var(--line-strong); stroke-width: 2.5 }
.faint { stroke: var(--line); stroke-width: 2.5 }
.live { stroke: var(--signal); stroke-width: 3 }
.packet { fill: var(--signal) }
.sheet { fill: var(--raised) }
.hole { fill: var(--paper) }
`;

const brandMark = `<svg viewBox="0 0 32 32" aria-hidden="true"><g stroke="var(--ink)" stroke-width="2.2">
<path d="M16 16L6 7M16 16L26 7M16 16v11" /><g class="hole"><circle cx="6" cy="7" r="3" /><circle cx="26" cy="7" r="3" /><circle cx="16" cy="27" r="3" /></g></g>
<circle class="packet" cx="16" cy="16" r="4.5" /></svg>`;

/** What a shared link to a page shows: its title, its place on the site and a drawing. */
export function shareCard({ title, path }: { title: string; path: string }): string {
  const words = title.replace(`${brand}: `, "");
  const size = words.length > 44 ? 58 : words.length > 20 ? 70 : 88;
  return `<!doctype html><html lang="en"><style>${fonts}${style}</style>
<body><div class="brand">${brandMark}${brand}</div>
<h1 style="font-size: ${size}px">${escapeMarkup(capitalized(words))}</h1>
<p class="path"><b>/</b>${escapeMarkup(path.slice(1))}</p>
<svg class="drawing" viewBox="0 0 440 500">${drawingFor(path)}</svg></body></html>`;
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
