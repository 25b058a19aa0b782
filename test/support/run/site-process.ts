// A site and its fakes in a process of their own: `site-process.ts PORT_BASE`. It tells its parent
// the site's URL, and ends with it.

import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { startFakes } from "../../../fakes/start-fakes.ts";
import { startWorker } from "../../../scripts/lib/worker.ts";
import { openSiteLog } from "./site-log.ts";

const portBase = Number(process.argv[2]);
const site = await startWorker(
  portBase + 4,
  (siteUrl) => exampleVariables({ siteUrl, portBase }),
  undefined,
  undefined,
  openSiteLog(portBase),
);
const variables = exampleVariables({ siteUrl: site.url, portBase });
const fakes = await startFakes({ variables, siteUrl: site.url, portBase, rateLimits: true });

process.once("disconnect", async () => {
  await fakes.close();
  await site[Symbol.asyncDispose]();
  process.exit();
});
process.send?.(site.url);
