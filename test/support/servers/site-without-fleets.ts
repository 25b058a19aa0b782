import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { portBase, startOwnWorker } from "../site/own-site.ts";

/** The servers Worker, whose fleets answer the site nothing. Bundles are made as ever. */
const withoutFleets = `
  import { WorkerEntrypoint } from "cloudflare:workers";
  import shipped from "./shipped.js";
  export * from "./shipped.js";
  export class Fleets extends WorkerEntrypoint {}
  export default shipped;`;

/** A site of this file's own whose calls of fleets fail. `await using` ends it. */
export async function startSiteWithoutFleets() {
  const copy = mkdtempSync(join(tmpdir(), "without-fleets-"));
  const servers = join(copy, "servers");
  cpSync("build/servers", servers, { recursive: true });
  renameSync(join(servers, "index.js"), join(servers, "shipped.js"));
  writeFileSync(join(servers, "index.js"), withoutFleets);
  const worker = await startOwnWorker(
    (siteUrl) => exampleVariables({ siteUrl, portBase }),
    undefined,
    join(servers, "wrangler.json"),
  );
  return {
    url: worker.url,
    runScheduled: worker.runScheduled,
    takeLogs: worker.takeLogs,
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      rmSync(copy, { recursive: true });
    },
  };
}
