import { readFileSync } from "node:fs";
import * as z from "zod";
import { PlainFailure } from "../../lib/terminal.mjs";

/** In the folders of the built configurations, because their paths are relative to those. */
export const previewConfigFile = "build/server/wrangler.preview.json";
export const previewServersFile = "build/servers/wrangler.preview.json";

const built = z.looseObject({
  name: z.string(),
  kv_namespaces: z.array(
    z.looseObject({ binding: z.string(), id: z.string(), preview_id: z.string().optional() }),
  ),
  ratelimits: z.array(z.looseObject({ namespace_id: z.string() })).default([]),
  services: z.array(z.looseObject({ service: z.string() })).default([]),
});
const builtServers = z.looseObject({ name: z.string() });

const previewName = (name: string) => `${name}-preview`;

/**
 * The configuration of the preview Worker, made from production's: another name, the KV namespaces
 * that wrangler.toml calls `preview_id`, rate limits counted apart, bound to the previews' servers Worker, no domain
 * and no schedule.
 */
export function previewConfig(builtConfig: string) {
  const production = built.parse(JSON.parse(readFileSync(builtConfig, "utf8")));
  return {
    ...production,
    name: previewName(production.name),
    routes: [],
    route: undefined,
    triggers: { crons: [] },
    workers_dev: false,
    preview_urls: true,
    kv_namespaces: production.kv_namespaces.map(({ binding, id, preview_id }) => {
      if (!preview_id || preview_id === id || /^0{24}/.test(preview_id)) {
        throw new PlainFailure(
          `${binding} in wrangler.toml needs a preview_id of its own. Make a namespace with ` +
            `npx wrangler kv namespace create ${binding}_PREVIEW and put its id there.`,
        );
      }
      return { binding, id: preview_id };
    }),
    services: production.services.map((each) => ({ ...each, service: previewName(each.service) })),
    ratelimits: production.ratelimits.map((limit) => ({
      ...limit,
      namespace_id: `9${limit.namespace_id}`,
    })),
  };
}

/**
 * The configuration of the previews' servers Worker: another name, and with it objects of its own; no domain. All
 * previews share it, since Cloudflare gives a version of a Worker with Durable Objects no address.
 */
export function previewServersConfig(builtConfig: string) {
  const production = builtServers.parse(JSON.parse(readFileSync(builtConfig, "utf8")));
  return { ...production, name: previewName(production.name), routes: [], route: undefined };
}
