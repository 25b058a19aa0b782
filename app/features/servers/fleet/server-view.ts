import type { Report } from "./report";
import type { Change, Sample, ServerRecord } from "./server-record";

/** What a server is like now. `since` is in milliseconds since 1970, like every time here. */
export type ServerState =
  | { code: "waiting" }
  /** `stage`: the first stage of the first boot that is not reached. */
  | { code: "booting"; stage: string }
  | { code: "healthy" }
  /** `finding`: the code of the worst one. */
  | { code: "degraded"; finding: string }
  | { code: "updating"; since: number }
  | { code: "silent"; since: number }
  | { code: "twice" }
  | { code: "retired"; since: number };

/** A server as the site shows it in a list. */
export type ServerView = Pick<ServerRecord, "id" | "deployment" | "name" | "enrolledAt"> &
  Pick<
    Report,
    "stages" | "findings" | "services" | "certificates" | "addresses" | "rebootPending"
  > & {
    retiredAt: number | undefined;
    version: string | undefined;
    state: ServerState;
    lastReportAt: number | undefined;
    doctorAt: number | undefined;
    backupAt: number | undefined;
    rooms: number | undefined;
    participants: number | undefined;
    request: { machine: string; instance: string; at: number } | undefined;
  };

/** A server with its history: changes newest first, samples oldest first. */
export type ServerPage = ServerView & { changes: readonly Change[]; samples: readonly Sample[] };
