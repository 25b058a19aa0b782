import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { portBase, startOwnWorker } from "../site/own-site.ts";

/** How KV fares for one request: `x-kv` says so, and `x-version` which deploy it meets. */
export type KvFault = "throws" | "never answers" | "has not seen it";

/**
 * Stands before the shipped Worker and hands it a KV that fails as Cloudflare says that it may: an
 * operation throws (a limit, an outage), takes for ever, or misses what another place has written.
 */
const entry = `
import app from "./index.js";
const never = () => new Promise(() => {});
const fails = () => { throw new Error("KV GET failed: 500 internal secret detail"); };
const ways = {
  "throws": { get: fails, put: fails, delete: fails },
  "never answers": { get: never, put: never, delete: never },
  "has not seen it": { get: async () => null },
};
const faulty = (kv, way) => new Proxy(kv, {
  get: (target, name) => ways[way]?.[name] ?? target[name].bind(target),
});
export default {
  fetch(request, env, ctx) {
    const way = request.headers.get("x-kv");
    const id = request.headers.get("x-version") ?? "first";
    const { PAGE_CACHE, VISITOR_STATE, ...rest } = env;
    return app.fetch(request, {
      ...rest,
      VERSION: { id },
      PAGE_CACHE: faulty(PAGE_CACHE, way),
      VISITOR_STATE: faulty(VISITOR_STATE, way),
    }, ctx);
  },
};
`;

/** The shipped build on a KV that can fail. `await using` ends it. */
export async function startOnFaultyKv() {
  const folder = mkdtempSync(join(tmpdir(), "faulty-kv-"));
  cpSync("build", folder, { recursive: true });
  const server = join(folder, "server");
  writeFileSync(join(server, "faulty-kv.js"), entry);
  const configPath = join(server, "wrangler.json");
  const config: object = JSON.parse(readFileSync(configPath, "utf8"));
  writeFileSync(configPath, JSON.stringify({ ...config, main: "faulty-kv.js" }));
  const worker = await startOwnWorker(
    (siteUrl) => exampleVariables({ siteUrl, portBase }),
    configPath,
  );
  return {
    url: worker.url,
    takeLogs: worker.takeLogs,
    /** The namespace itself, which is well. */
    kv: worker.pageCache,
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
