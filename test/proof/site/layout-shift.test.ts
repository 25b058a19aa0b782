import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };

const pages = publicPaths().flatMap((path) => [390, 1280].map((width) => ({ path, width })));

test.each(pages)(
  "nothing moves on $path, $width wide, when its fonts and scripts arrive after the first paint",
  async ({ path, width }) => {
    await using person = await openPage({ viewport: { width, height: 844 } });
    const { page } = person;
    await page.addInitScript(() => {
      const moved: string[] = [];
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries() as LayoutShift[]) {
          // The browser does not always name what moved.
          const texts = sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? "?");
          moved.push(`${value}: ${texts.join(" | ")}`);
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    const painted = Promise.withResolvers<void>();
    await page.route(/\.(?:woff2|js)$/, async (route) => {
      await painted.promise;
      await route.fallback();
    });
    await page.goto(path, { waitUntil: "commit" });
    await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint").length > 0,
    );
    painted.resolve();
    await page.waitForLoadState("load");
    const moved = await page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const { moved } = window as unknown as { moved: string[] };
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(moved)));
        }),
    );
    expect(moved).toEqual([]);
  },
);
