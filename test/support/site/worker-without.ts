import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { portBase, startOwnWorker } from "./own-site.ts";

/** A Worker of this file's own, in whose build every file is missing that has this in its path. `await using` ends it. */
export async function startWorkerWithout(part: string) {
  const copy = mkdtempSync(join(tmpdir(), "incomplete-build-"));
  cpSync("build", copy, { recursive: true, filter: (path) => !path.includes(part) });
  const worker = await startOwnWorker(
    (siteUrl) => exampleVariables({ siteUrl, portBase }),
    join(copy, "server/wrangler.json"),
  );
  return {
    url: worker.url,
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      rmSync(copy, { recursive: true });
    },
  };
}
