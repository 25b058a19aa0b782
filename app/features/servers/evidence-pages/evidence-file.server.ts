import { isoOf } from "../iso-of";
import { type Evidence, isBad } from "../room-sessions/evidence";
import type { ServerFile } from "../session-pages/server-file.server";
import { wholeName } from "../session-pages/session-words";

/** Every call of which apps said something, and every try to join that failed. */
export const evidenceFile: ServerFile<Evidence, number> = {
  name: "calls.csv",
  unreadable: "What apps said of calls cannot be read right now. Please try again in a moment.",
  partOf: (fleets, workspace, server, after) => fleets.evidenceFilePart(workspace, server, after),
  head: [
    ...["first heard", "last heard", "session", "room", "participant", "identity", "network"],
    ...["got in", "bad", "way", "loss %", "round trip ms", "jitter ms", "browser", "sdk", "fault"],
  ],
  cellsOf(call) {
    const { firstAt, at, session, roomName, participant, identity, network } = call;
    const { state, way, lossPermille, roundTripMs, jitterMs, browser, sdk, failure } = call;
    return [
      ...[isoOf(firstAt), isoOf(at), session, wholeName(roomName), participant],
      ...[wholeName(identity), network, state === "failed" ? "no" : "yes"],
      ...[isBad(call) ? "yes" : "no", way ?? ""],
      ...[lossPermille === undefined ? "" : lossPermille / 10, roundTripMs ?? "", jitterMs ?? ""],
      ...[browser ?? "", sdk ?? "", failure ?? ""],
    ];
  },
};
