import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { send } from "../../support/attacks/raw-http.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

let worker: Awaited<ReturnType<typeof startOwnWorker>>;

beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});

afterAll(() => worker[Symbol.asyncDispose]());

/** Other ways to write the path of a page that a router may take for the same. */
function spellings(path: string): string[] {
  const inner = path.slice(1);
  const escaped = [...inner].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
  const data = path === "/" ? "/_.data" : `${path}.data`;
  return [
    `${path}/`,
    `/${path}`,
    `${path}//`,
    path.toUpperCase(),
    `/${escaped}`,
    `/${inner.replace(/[a-z]/, (letter) => `%${letter.toUpperCase().charCodeAt(0).toString(16)}`)}`,
    inner.replace("/", "//").replace(/^/, "/"),
    `/./${inner}`,
    `/x/..${path}`,
    `/x/%2E%2e${path}`,
    `${path};a=b`,
    `${path}%20`,
    `${path}%2f`,
    `${path}%00`,
    `${path}?index`,
    `${path}?${"x".repeat(50)}=1`,
    data,
    `${path}/.data`,
    `${path}/_.data`,
    `${path.toUpperCase()}.data`,
    `${path}.DATA`,
    `${path}.data?a=b`,
    `${path}.data/`,
    `/${escaped}.data`,
    `/${escaped}%2Edata`,
  ];
}

test("no spelling of a public page's address goes round the cache", async () => {
  const cachedPaths = publicPaths().filter((path) => path !== "/signup");
  expect(cachedPaths.length).toBeGreaterThan(20);
  const host = new URL(worker.url).host;
  for (const path of [...cachedPaths, "/blog/rss.xml", "/sitemap.xml"]) {
    for (const target of spellings(path)) {
      const { status, headers } = await send(worker.url, {
        method: "GET",
        target,
        headers: { host },
      });
      const found = headers["cache-status"] ?? status;
      // From the cache, or led to where it is, or nothing at all.
      expect.soft([target, found]).toEqual([target, expect.toSatisfy(isHarmless)]);
      if (status === 308) expect.soft(headers.location, target).toMatch(/^\/(?![/\\])/);
    }
  }
});

function isHarmless(found: unknown) {
  return found === 308 || found === 404 || /^livekit-deploy; /.test(String(found));
}
