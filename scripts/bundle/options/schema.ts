import * as z from "zod/mini";
import type { OptionDocs } from "../../../app/features/deployments/bundle/options/option.ts";
import { deploymentSchema } from "../../../app/features/deployments/bundle/options/options.ts";
import { deploymentDocs } from "../../../app/features/deployments/bundle/options/table/deployment.ts";
import { domainDocs } from "../../../app/features/deployments/bundle/options/table/domain.ts";
import { featuresDocs } from "../../../app/features/deployments/bundle/options/table/features.ts";
import { managementDocs } from "../../../app/features/deployments/bundle/options/table/management.ts";
import { networkDocs } from "../../../app/features/deployments/bundle/options/table/network.ts";
import { protectionDocs } from "../../../app/features/deployments/bundle/options/table/protection.ts";
import { topologyDocs } from "../../../app/features/deployments/bundle/options/table/topology.ts";

type Schema = z.core.JSONSchema.BaseSchema;

/** What the documentation and editors say of each option, by its path. */
export const optionDocs: OptionDocs = {
  ...deploymentDocs,
  ...topologyDocs,
  ...domainDocs,
  ...networkDocs,
  ...protectionDocs,
  ...featuresDocs,
  ...managementDocs,
};

/** The options as JSON Schema 2020-12, described. Rules between options are checked by the program only. */
export function optionsSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(deploymentSchema(), { io: "input" });
  describe(schema, "");
  const { $schema, ...rest } = schema;
  return {
    $schema,
    title: "Deployment options",
    description: "What `npm run bundle` and the console make a LiveKit server from.",
    ...rest,
  };
}

function describe(schema: Schema, path: string): void {
  const docs = path === "version" ? "The form of this file." : optionDocs[path];
  if (docs !== undefined) schema.description = typeof docs === "string" ? docs : docs.about;
  for (const part of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) inside(part, path);
  inside(schema, path);
}

function inside(schema: Schema, path: string): void {
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    if (typeof part === "object") describe(part, path === "" ? name : `${path}.${name}`);
}
