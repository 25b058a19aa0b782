import * as z from "zod/mini";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { serverCrumbs } from "../pages/server-crumbs";
import { nameWords } from "./session-words";

const pageData = z.object({
  id: z.string(),
  session: z.optional(z.object({ sid: z.string(), name: z.string() })),
  participant: z.optional(z.object({ sid: z.string(), identity: z.string() })),
});

/** The way to the sessions of a server, to one of them, and to the call of somebody in it. */
export const sessionsCrumbs: NonNullable<ConsoleHandle["breadcrumbs"]> = (page) => {
  const way = serverCrumbs(page);
  const { data } = pageData.safeParse(page.loaderData);
  if (!data) return way;
  const list = { to: `${page.base}/servers/${data.id}/sessions`, label: "Sessions" };
  if (!data.session) return [...way, list];
  const { sid, name } = data.session;
  const session = { to: `${list.to}/${sid}`, label: nameWords(name) };
  const { participant } = data;
  if (!participant) return [...way, list, session];
  const call = { to: `${session.to}/${participant.sid}`, label: nameWords(participant.identity) };
  return [...way, list, session, call];
};
