import type { RouterContextProvider } from "react-router";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { orUndefined, readServer } from "../fleets.server";
import { isServerId } from "../server-id";
import { unrecordedAgents } from "./agent-words";
import { sessionQuery, typedQuery } from "./session-query";
import { timelineOf } from "./timeline";

type Context = Readonly<RouterContextProvider>;

export const isSessionSid = (sid: string) => /^RM_[A-Za-z0-9]{4,40}$/.test(sid);

/** The sessions of a server; null where the workspace has no such server, undefined while they cannot be read. */
export async function sessionsView(context: Context, id: string, search: URLSearchParams) {
  if (!isServerId(id)) return null;
  const { app, workspace } = scopeOf(context);
  const typed = typedQuery(search);
  const [server, answer] = await Promise.all([
    readServer({ context: app, workspace }, id),
    orUndefined(
      app.bindings.FLEETS.sessions(workspace.id, id, sessionQuery(typed)).then((list) => ({
        list,
      })),
    ),
  ]);
  if (server === null || (answer && !answer.list)) return null;
  if (!server || !answer?.list) return;
  const { sessions, next, days } = answer.list;
  return {
    ...{ id, name: server.name, deployment: server.deployment, typed, sessions, days },
    /** As the machine says it, where it was connected as it was: ../layout/layout.ts. */
    taken: server.layout?.facts.sessions,
    next: next && `${next.started}.${next.id}`,
  };
}

/** One session of a server, with what happened in it. Null and undefined as above. */
export async function sessionView(context: Context, id: string, sid: string) {
  if (!isServerId(id) || !isSessionSid(sid)) return null;
  const { app, workspace } = scopeOf(context);
  const [server, answer] = await Promise.all([
    readServer({ context: app, workspace }, id),
    orUndefined(app.bindings.FLEETS.session(workspace.id, id, sid).then((page) => ({ page }))),
  ]);
  if (server === null || (answer && !answer.page)) return null;
  if (!server || !answer?.page) return;
  const { page } = answer;
  return {
    ...{ id, name: server.name, deployment: server.deployment },
    ...{ ...page, timeline: timelineOf(page) },
    unrecorded: unrecordedAgents(page.participants, page.agents),
  };
}

function scopeOf(context: Context) {
  return { app: context.get(appContext), workspace: openWorkspace(context) };
}
