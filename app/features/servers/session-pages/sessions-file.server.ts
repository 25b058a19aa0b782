import { isoOf } from "../iso-of";
import type { FileCursor, FileRow } from "../room-sessions/history-pages.server";
import type { ServerFile } from "./server-file.server";
import { minutesOf, reasonWords, wholeName } from "./session-words";

/** Everybody who was in a session of a server. */
export const sessionsFile: ServerFile<FileRow, FileCursor> = {
  name: "sessions.csv",
  unreadable: "The sessions cannot be read right now. Please try again in a moment.",
  partOf: (fleets, workspace, server, after) => fleets.sessionFilePart(workspace, server, after),
  head: [
    ...["session", "room", "participant", "identity", "kind", "joined", "left", "minutes"],
    ...["reason", "got through", "published"],
  ],
  cellsOf({ session, name, participant }) {
    const { sid, identity, kind, joinedAt, leftAt, isAborted, tracks } = participant;
    return [
      ...[session, wholeName(name), sid, wholeName(identity), kind || "STANDARD"],
      ...[isoOf(joinedAt), isoOf(leftAt) ?? ""],
      leftAt === undefined ? "" : minutesOf(leftAt - joinedAt),
      ...[reasonWords(participant), isAborted ? "no" : "yes"],
      tracks.map(({ source, mime }) => `${source} ${mime}`.trim()).join("; "),
    ];
  },
};
