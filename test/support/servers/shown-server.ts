import type { ServerView } from "../../../app/features/servers/pages/server-view.ts";

/** A healthy server as a list gets it, which has never reported a figure. */
export function serverView(name: string, more: Partial<ServerView> = {}): ServerView {
  return {
    ...{ id: `id-${name}`, deployment: "d-1", name, enrolledAt: 0, retiredAt: undefined },
    ...{ state: { code: "healthy" }, lastReportAt: undefined },
    ...{ doctorAt: undefined, backupAt: undefined },
    ...{ rooms: undefined, participants: undefined, incident: undefined, request: undefined },
    ...{ maintenanceUntil: undefined, ourFault: undefined, day: Array(48).fill(null) },
    ...{ stages: [], findings: [], services: [], certificates: [], addresses: [] },
    rebootPending: false,
    ...more,
  };
}
