import * as z from "zod/mini";
import { deploymentOptions } from "./table/deployment.ts";
import { domainOptions } from "./table/domain.ts";
import { featuresOptions } from "./table/features.ts";
import { managementOptions } from "./table/management.ts";
import { networkOptions } from "./table/network.ts";
import { protectionOptions } from "./table/protection.ts";
import { topologyOptions } from "./table/topology.ts";

/** Every option of a deployment, by the step of the wizard that asks for it. */
export const optionsByStep = {
  deployment: { ...deploymentOptions, ...topologyOptions },
  domain: domainOptions,
  network: networkOptions,
  protection: protectionOptions,
  features: featuresOptions,
  management: managementOptions,
} as const;

/** The one table of options: the parser, the wizard, the review and the plan limits are made from it. */
export const optionTable = {
  ...deploymentOptions,
  ...topologyOptions,
  ...domainOptions,
  ...networkOptions,
  ...protectionOptions,
  ...featuresOptions,
  ...managementOptions,
} as const;

type Table = typeof optionTable;
type Fields = { [Name in keyof Table]: ReturnType<Table[Name]["field"]> };

/**
 * The options of a deployment, as files and the database keep them. All but `domain` and `email` have a default. What
 * the schema returns is canonical: names are in punycode, ranges are masked, versions are tags.
 */
function schemaOfOptions() {
  const fields = Object.fromEntries(
    Object.entries(optionTable).map(([name, { field }]) => [name, field()]),
  ) as Fields;
  return z.strictObject({
    version: z._default(z.literal(1, "This program reads version 1 of the options."), 1),
    ...fields,
  });
}

let made: ReturnType<typeof schemaOfOptions> | undefined;

/** The schema of the options, made at first use: it was a tenth of what a Worker's start costs. */
export function deploymentSchema() {
  made ??= schemaOfOptions();
  return made;
}

/** Options that were checked. Make them with `parseOptions` only. */
export type DeploymentOptions = z.output<ReturnType<typeof schemaOfOptions>>;
