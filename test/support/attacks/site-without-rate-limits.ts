import { readFileSync, writeFileSync } from "node:fs";
import type { Variables } from "../../../fakes/dev-vars.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { countAtAuthServer } from "../site/control-fakes.ts";
import { portBase, startOwnWorker } from "../site/own-site.ts";

const shipped = "build/server/wrangler.json";
/** Each site has its own: files that run beside each other must not read what another is writing. */
const unlimited = `build/server/wrangler.unlimited-${portBase}.json`;

type RateLimits = { ratelimits: { simple: { limit: number } }[] };

/**
 * The shipped Worker, with rate limits that are never reached: behind them every input of a person
 * after the first twenty would meet the same refusal. Nor does the auth server count. `await using` ends it.
 */
export async function startSiteWithoutRateLimits(variables: Variables = {}) {
  const configuration = JSON.parse(readFileSync(shipped, "utf8")) as RateLimits;
  for (const { simple } of configuration.ratelimits) simple.limit = 1_000_000;
  writeFileSync(unlimited, JSON.stringify(configuration));
  await countAtAuthServer(false);
  const worker = await startOwnWorker(
    (siteUrl) => ({ ...exampleVariables({ siteUrl, portBase }), ...variables }),
    unlimited,
  );
  return {
    ...worker,
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await countAtAuthServer(true);
    },
  };
}
