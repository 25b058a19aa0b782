import type { TestResult } from "./result";
import type { BrowserFamily } from "./ways";

/** The order matters: Edge calls itself Chrome as well, and Chrome calls itself Safari. */
const families: readonly (readonly [BrowserFamily, RegExp])[] = [
  ["edge", /\bEdgA?\/(\d+)/],
  ["chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ["firefox", /\b(?:Firefox|FxiOS)\/(\d+)/],
  ["safari", /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
];

/** Family and major version of a browser, and nothing else of what it says of itself. */
export function browserOf(userAgent: string): TestResult["browser"] {
  for (const [family, pattern] of families) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return { family, version: Math.min(Number(version), 9_999) };
  }
  return { family: "other", version: 0 };
}

const names: Readonly<Record<BrowserFamily, string>> = {
  chrome: "Chrome",
  edge: "Edge",
  firefox: "Firefox",
  safari: "Safari",
  other: "Another browser",
};

export function browserName({ family, version }: TestResult["browser"]): string {
  return version > 0 ? `${names[family]} ${version}` : names[family];
}
