import * as z from "zod";
import aws from "./schemas/aws.json" with { type: "json" };
import azurerm from "./schemas/azurerm.json" with { type: "json" };
import digitalocean from "./schemas/digitalocean.json" with { type: "json" };
import google from "./schemas/google.json" with { type: "json" };
import hcloud from "./schemas/hcloud.json" with { type: "json" };
import linode from "./schemas/linode.json" with { type: "json" };
import oci from "./schemas/oci.json" with { type: "json" };
import openstack from "./schemas/openstack.json" with { type: "json" };
import vultr from "./schemas/vultr.json" with { type: "json" };

/** `required`, `optional`, `computed` or `optional computed`, and `sensitive` where it is. */
const use = z.string().regex(/^(required|optional|computed|optional computed)( sensitive)?$/);

/** The arguments of a block and what may be inside it. `least`: how often it must be there. */
export type Block = {
  attributes: Record<string, string>;
  blocks?: Record<string, { least: number; block: Block }> | undefined;
};

const block: z.ZodType<Block> = z.lazy(() =>
  z.strictObject({
    attributes: z.record(z.string(), use),
    blocks: z.record(z.string(), z.strictObject({ least: z.int(), block })).optional(),
  }),
);

const blocks = z.record(z.string(), block);

/**
 * What the program of one provider says it takes: all of each resource and data source that main.tf has. Written by
 * `npm run proof:real terraform -- -u`.
 */
const schema = z.strictObject({
  source: z.string(),
  version: z.string(),
  date: z.iso.date(),
  provider: block,
  resources: blocks,
  data: blocks,
});

export type ProviderSchema = z.infer<typeof schema>;

const all = { aws, azurerm, digitalocean, google, hcloud, linode, oci, openstack, vultr };

/** By what main.tf calls the provider. */
export const providerSchemas: Readonly<Record<string, ProviderSchema>> = z
  .record(z.string(), schema)
  .parse(all);
