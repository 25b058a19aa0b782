import { afterAll, beforeAll, expect, test } from "vitest";
import { kvTimeoutMs } from "../../../workers/page-cache/page-cache.ts";
import { type KvFault, startOnFaultyKv } from "../../support/faults/faulty-kv.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { inParallel } from "../../support/site/in-parallel.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { publicPaths } from "../../support/site/site-routes.ts";
import { Visitor } from "../../support/site/visitor.ts";

let site: Awaited<ReturnType<typeof startOnFaultyKv>>;

beforeAll(async () => {
  await resetFakes();
  site = await startOnFaultyKv();
});
afterAll(() => site?.[Symbol.asyncDispose]());

/** A page as a deploy serves it to somebody whose KV fares so. Nothing is in memory of a new deploy. */
const open = (path: string, version: string, fault?: KvFault) =>
  fetch(site.url + path, { headers: { "x-version": version, ...(fault && { "x-kv": fault }) } });

const cached = publicPaths().filter((path) => path !== "/signup");
const deploys = (function* () {
  for (let count = 1; ; count++) yield `deploy-${count}`;
})();
const newDeploy = () => deploys.next().value as string;

test.for<KvFault>(["throws", "never answers", "has not seen it"])(
  "when KV %s every public page is rendered and served, and from then on it is in memory",
  async (fault) => {
    const version = newDeploy();
    await inParallel(cached, 4, async (path) => {
      const began = Date.now();
      const first = await open(path, version, fault);
      expect(Date.now() - began, path).toBeLessThan(20 * kvTimeoutMs);
      expect([path, first.status]).toEqual([path, 200]);
      expect(first.headers.get("cache-status"), path).toMatch(/fwd=miss/);
      const text = await first.text();
      expect(text).toContain("</html>");
      expect(text).not.toContain("internal secret detail");
      const second = await open(path, version, fault);
      expect(second.headers.get("cache-status"), path).toMatch(/hit; detail=memory/);
      expect(await second.text(), path).toBe(text);
    });
  },
);

test("a KV that cannot be read is logged once a page, and a visitor sees nothing of it", async () => {
  site.takeLogs();
  await open("/faq", newDeploy(), "throws");
  const lines: Record<string, unknown>[] = [];
  await pollUntil(
    () => lines.push(...site.takeLogs()),
    () => lines.some(({ message }) => message === "KV did not store"),
  );
  expect(lines.map(({ level, message }) => [level, message])).toEqual([
    ["warn", "KV did not answer"],
    ["warn", "KV did not store"],
  ]);
});

/** What a deploy finds in KV: its page as it was so long ago, with other words. */
async function storeOld(path: string, version: string, secondsAgo: number): Promise<void> {
  const kv = await site.kv();
  const model = newDeploy();
  await (await open(path, model)).text();
  const value = await pollUntil(
    () => kv.get(`page/${model}${path}`),
    (stored) => stored !== null,
  );
  const [head = "", ...body] = (value ?? "").split("\n");
  const old = { ...JSON.parse(head), renderedAt: Date.now() - secondsAgo * 1_000, etag: '"old"' };
  const words = body.join("\n").replace("</main>", "<p>the words of then</p></main>");
  await kv.put(`page/${version}${path}`, `${JSON.stringify(old)}\n${words}`);
}

const day = 86_400;

test("a page from KV that is out of date is served at once, and the next visitor gets a new one", async () => {
  const version = newDeploy();
  await storeOld("/pricing", version, 2 * day);
  const first = await open("/pricing", version);
  expect(first.headers.get("cache-status")).toMatch(/stale/);
  expect(await first.text()).toContain("the words of then");
  const next = await pollUntil(
    async () => (await open("/pricing", version)).text(),
    (text) => !text.includes("the words of then"),
  );
  expect(next).toContain("</html>");
});

test("a page from KV that is too old for anybody is rendered anew", async () => {
  const version = newDeploy();
  await storeOld("/support", version, 30 * day);
  const response = await open("/support", version);
  expect(response.status).toBe(200);
  expect(await response.text()).not.toContain("the words of then");
});

test("a new deploy shows nothing of what KV holds of the one before", async () => {
  await storeOld("/terms", "the-deploy-before", 60);
  expect(await (await open("/terms", "the-deploy-before")).text()).toContain("the words of then");
  expect(await (await open("/terms", newDeploy())).text()).not.toContain("the words of then");
});

test.for<KvFault>(["throws", "never answers", "has not seen it"])(
  "when KV %s a message is taken all the same, and the page after it reads well",
  async (fault) => {
    const headers = { "x-kv": fault };
    const visitor = new Visitor(site.url);
    const message = { name: "Ada", email: `${crypto.randomUUID()}@example.com`, topic: "sales" };
    const sent = await visitor.post(
      "/contact",
      { ...message, message: "How many servers does Pro deploy?" },
      { headers },
    );
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/contact/sent"]);
    const page = await visitor.request("/contact/sent", { headers });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Message sent");
  },
);
