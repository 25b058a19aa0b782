import * as z from "zod/mini";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { serverCrumbs } from "../pages/server-crumbs";
import { nameWords } from "./session-words";

const pageData = z.object({
  id: z.string(),
  session: z.optional(z.object({ sid: z.string(), name: z.string() })),
});

/** The way to the sessions of a server, and to one of them. */
export const sessionsCrumbs: NonNullable<ConsoleHandle["breadcrumbs"]> = (page) => {
  const way = serverCrumbs(page);
  const { data } = pageData.safeParse(page.loaderData);
  if (!data) return way;
  const list = { to: `${page.base}/servers/${data.id}/sessions`, label: "Sessions" };
  if (!data.session) return [...way, list];
  const { sid, name } = data.session;
  return [...way, list, { to: `${list.to}/${sid}`, label: nameWords(name) }];
};
