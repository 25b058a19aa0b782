import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

test("nothing moves on any public page when its fonts and scripts arrive after the first paint", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        sources: { node: Node | null }[];
      })[]) {
        moved.push(...entry.sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? "?"));
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  let painted = Promise.withResolvers<void>();
  await page.route(/\.(?:woff2|js)$/, async (route) => {
    await painted.promise;
    await route.fallback();
  });
  const found: string[] = [];
  for (const path of publicPaths()) {
    painted = Promise.withResolvers();
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
    found.push(...moved.map((text) => `${path}: ${text}`));
  }
  expect(found).toEqual([]);
});
