// A site and its fakes in a process of their own: `site-process.ts PORT_BASE [POSTGRES_SOCKET_NAME]`. It sends its parent
// the site's URL, and ends with it.

import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { startFakes } from "../../../fakes/start-fakes.ts";
import type { LiteConfig } from "../../../fakes/supabase/database/lite.ts";
import { startWorker } from "../../../scripts/lib/worker.ts";
import { openLiteOnPostgres } from "../database/lite-on-postgres.ts";
import { folderAtSocket } from "../database/offered-postgres.ts";
import { copyOf } from "../database/templates.ts";
import { openSiteLog } from "./site-log.ts";

// Hashes of passwords that guard nothing may be quick ones.
process.env.LITE_AUTH_BCRYPT_COST = "4";

const [, , base, postgresSocketName] = process.argv;
const portBase = Number(base);
const site = await startWorker(
  portBase + 4,
  (siteUrl) => exampleVariables({ siteUrl, portBase }),
  undefined,
  undefined,
  openSiteLog(portBase),
);
const variables = exampleVariables({ siteUrl: site.url, portBase });
await startFakes({
  variables,
  siteUrl: site.url,
  portBase,
  rateLimits: true,
  ...(postgresSocketName && { openSupabase: await openCopyOfMigrated(postgresSocketName) }),
});

async function openCopyOfMigrated(socketName: string) {
  const address = await copyOf("migrated", await folderAtSocket(socketName));
  return (config: LiteConfig) => openLiteOnPostgres({ ...address, max: 10 }, config);
}

// The fakes end with this process, and their database with the run: a request that nobody answers any more would hold up
// an orderly end for ever.
process.once("disconnect", async () => {
  await site[Symbol.asyncDispose]();
  process.exit();
});
process.send?.(site.url);
