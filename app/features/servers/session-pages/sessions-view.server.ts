import type { RouterContextProvider } from "react-router";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { type AppContext, appContext } from "~/http/app-context";
import { csvOf } from "~/http/encodings";
import { describeError, log } from "~/platform/log/log.server";
import { orUndefined, readServer } from "../fleets.server";
import { isoOf } from "../iso-of";
import type { FileCursor, FilePart, FileRow } from "../room-sessions/history-pages.server";
import { unrecordedAgents } from "./agent-words";
import { sessionQuery, typedQuery } from "./session-query";
import { hasName, minutesOf, nameWords, reasonWords } from "./session-words";
import { timelineOf } from "./timeline";

type Context = Readonly<RouterContextProvider>;

export const isServerId = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

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

type Parts = (after: FileCursor | undefined) => Promise<FilePart | undefined>;

/** The file of everybody who was in a session of a server; null and undefined as above. */
export async function sessionsCsv(
  context: Context,
  id: string,
): Promise<ReadableStream<Uint8Array> | null | undefined> {
  if (!isServerId(id)) return null;
  const { app, workspace } = scopeOf(context);
  const parts = partsOf(app, workspace.id, id);
  const first = await orUndefined(parts(undefined).then((part) => ({ part })));
  if (!first) return;
  return first.part ? csvStream(first.part, parts) : null;
}

const partsOf =
  ({ bindings }: Pick<AppContext, "bindings">, workspace: string, server: string): Parts =>
  (after) =>
    bindings.FLEETS.sessionFilePart(workspace, server, after);

const head = [
  ...["session", "room", "participant", "identity", "kind", "joined", "left", "minutes"],
  ...["reason", "got through", "published"],
];

/** One part is held at a time, however slowly the reader takes it. A part that fails breaks the file off. */
export function csvStream(first: FilePart, parts: Parts): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let part: FilePart | undefined = first;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(csvOf([head]))),
      async pull(controller) {
        if (!part) return controller.close();
        if (part.rows.length > 0) controller.enqueue(encoder.encode(csvOf(part.rows.map(cellsOf))));
        const { next } = part;
        part = undefined;
        if (!next) return controller.close();
        try {
          part = await parts(next);
        } catch (error) {
          log.error("A file of sessions broke off", describeError(error));
          controller.error(error);
        }
      },
    },
    { highWaterMark: 0 },
  );
}

function cellsOf({ session, name, participant }: FileRow): (string | number)[] {
  const { sid, identity, kind, joinedAt, leftAt, isAborted, tracks } = participant;
  return [
    ...[session, wholeName(name), sid, wholeName(identity), kind || "STANDARD"],
    ...[isoOf(joinedAt), isoOf(leftAt) ?? ""],
    leftAt === undefined ? "" : minutesOf(leftAt - joinedAt),
    ...[reasonWords(participant), isAborted ? "no" : "yes"],
    tracks.map(({ source, mime }) => `${source} ${mime}`.trim()).join("; "),
  ];
}

/** In the file a hash is whole, as `livekit-deploy find` prints it. */
const wholeName = (name: string): string => (hasName(name) ? nameWords(name) : name);
