import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { portBase, startOwnWorker } from "./own-site.ts";

const failing = `
  import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
  const fail = () => { throw new Error("No bundles now"); };
  export class Bundles extends WorkerEntrypoint {
    make() { fail(); }
    zip() { fail(); }
    installedHashes() { fail(); }
    version() { fail(); }
  }
  export class Fleets extends WorkerEntrypoint {
    overview() { fail(); }
  }
  export class Fleet extends DurableObject {}
  export class History extends DurableObject {}
  export class Outages extends DurableObject {}
  export default { fetch: fail };`;

/** A site of this file's own whose servers Worker throws whatever it is asked. `await using` ends it. */
export async function startWorkerWithoutBundles() {
  const folder = mkdtempSync(join(tmpdir(), "failing-servers-"));
  const config = join(folder, "wrangler.json");
  writeFileSync(config, readFileSync("build/servers/wrangler.json"));
  writeFileSync(join(folder, "index.js"), failing);
  const worker = await startOwnWorker(
    (siteUrl) => exampleVariables({ siteUrl, portBase }),
    undefined,
    config,
  );
  return {
    url: worker.url,
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
