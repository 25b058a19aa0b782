import * as z from "zod";
import type {
  Block,
  ProviderSchema,
} from "../../support/deployments/terraform/provider-schemas.ts";

const attribute = z.looseObject({
  required: z.boolean().optional(),
  optional: z.boolean().optional(),
  computed: z.boolean().optional(),
  sensitive: z.boolean().optional(),
});

type Described = {
  attributes?: Record<string, z.infer<typeof attribute>> | undefined;
  block_types?: Record<string, { block: Described; min_items?: number | undefined }> | undefined;
};

const described: z.ZodType<Described> = z.lazy(() =>
  z.looseObject({
    attributes: z.record(z.string(), attribute).optional(),
    block_types: z
      .record(z.string(), z.looseObject({ block: described, min_items: z.int().optional() }))
      .optional(),
  }),
);

const blocks = z.record(z.string(), z.looseObject({ block: described }));

/** What `terraform providers schema -json` prints, as far as it is read here. */
export const printedSchemas = z.object({
  provider_schemas: z.record(
    z.string(),
    z.object({
      provider: z.looseObject({ block: described }),
      resource_schemas: blocks.optional(),
      data_source_schemas: blocks.optional(),
    }),
  ),
});

type Printed = z.infer<typeof printedSchemas>["provider_schemas"][string];

/** Of what a provider takes the part that our files have, in the form of the fixture. */
export function cutSchema(
  printed: Printed,
  types: { resources: readonly string[]; data: readonly string[] },
): Pick<ProviderSchema, "provider" | "resources" | "data"> {
  const some = (all: z.infer<typeof blocks> = {}, names: readonly string[]) =>
    Object.fromEntries(
      names.toSorted().flatMap((name) => (all[name] ? [[name, cut(all[name].block)]] : [])),
    );
  const { attributes, blocks: inner = {} } = cut(printed.provider.block);
  // What is inside them, such as the address of each service, is nothing of ours.
  const closed = Object.entries(inner).map(([name, { least }]) => [
    name,
    { least, block: { attributes: {} } },
  ]);
  return {
    provider: {
      attributes,
      ...(closed.length > 0 ? { blocks: Object.fromEntries(closed) } : {}),
    },
    resources: some(printed.resource_schemas, types.resources),
    data: some(printed.data_source_schemas, types.data),
  };
}

function cut({ attributes = {}, block_types = {} }: Described): Block {
  const inner = Object.entries(block_types).map(([name, { block, min_items = 0 }]) => [
    name,
    { least: min_items, block: cut(block) },
  ]);
  return {
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, each]) => [name, useOf(each)]),
    ),
    ...(inner.length > 0 ? { blocks: Object.fromEntries(inner) } : {}),
  };
}

function useOf({ required, optional, computed, sensitive }: z.infer<typeof attribute>): string {
  const words = required ? "required" : [optional && "optional", computed && "computed"];
  return [words, sensitive && "sensitive"].flat().filter(Boolean).join(" ");
}
