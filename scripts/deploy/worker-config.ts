import { readFileSync } from "node:fs";
import * as z from "zod";

/** The configurations that the build makes of our two wrangler.toml, and that wrangler deploys. */
export const builtConfig = "build/server/wrangler.json";
export const serversConfig = "build/servers/wrangler.json";

const namespaces = z.object({
  kv_namespaces: z.array(z.object({ binding: z.string(), id: z.string() })),
});

/** What to do about a KV namespace that is nobody's: wrangler.toml comes with ids of zeros. */
export function exampleNamespace(): string | undefined {
  const { kv_namespaces } = namespaces.parse(JSON.parse(readFileSync(builtConfig, "utf8")));
  const example = kv_namespaces.find(({ id }) => /^0{24}/.test(id));
  if (!example) return;
  return (
    `${example.binding} in wrangler.toml still has the example's id. Make a namespace of your own ` +
    `with npx wrangler kv namespace create ${example.binding} and put its id there.`
  );
}
