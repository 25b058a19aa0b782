import type { Page } from "playwright-core";
import { expect } from "vitest";
import { brokenParts, pressAll, translate } from "../browser/altered-page.ts";
import { desktop, faultsOfPage } from "../browser/axe.ts";

/** The window in which a screen is examined; it changes its size and its theme itself. */
export const axeWindow = { theme: "light", viewport: desktop, reducedMotion: true } as const;

/** Examines a screen as it is now, then as a browser translates it: afterwards the page is of no more use. */
export async function expectAccessible(page: Page): Promise<void> {
  expect.soft(await faultsOfPage(page)).toEqual([]);
  const before = await brokenParts(page);
  await translate(page);
  await pressAll(page);
  expect(await brokenParts(page)).toBe(before);
}
