import * as z from "zod/mini";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { serverCrumbs } from "../pages/server-crumbs";

const pageData = z.object({ id: z.string() });

/** The way to a server's page of why calls fail. */
export const evidenceCrumbs: NonNullable<ConsoleHandle["breadcrumbs"]> = (page) => {
  const way = serverCrumbs(page);
  const { data } = pageData.safeParse(page.loaderData);
  if (!data) return way;
  return [...way, { to: `${page.base}/servers/${data.id}/evidence`, label: "Why calls fail" }];
};
