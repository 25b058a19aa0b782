import * as z from "zod/mini";
import { deploymentsCrumb } from "~/features/deployments/words/deployment-handle";
import type { ConsoleHandle } from "~/ui/console/console-handle";

const pageData = z.object({
  id: z.string(),
  name: z.string(),
  deployment: z.optional(z.string()),
  deploymentName: z.optional(z.string()),
});

/** The way to a server, by its deployment. Where the server could not be read there is none to show. */
export const serverCrumbs: NonNullable<ConsoleHandle["breadcrumbs"]> = ({ loaderData, base }) => {
  const list = deploymentsCrumb(base);
  const { data } = pageData.safeParse(loaderData);
  if (!data) return [list];
  const current = { to: `${base}/servers/${data.id}`, label: data.name };
  if (data.deployment === undefined) return [{ to: base, label: "Overview" }, current];
  if (data.deploymentName === undefined) return [list, current];
  return [list, { to: `${list.to}/${data.deployment}`, label: data.deploymentName }, current];
};
