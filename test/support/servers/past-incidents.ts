import type { StoredIncident } from "~/features/servers/incidents/stored-incident.ts";

const minute = 60_000;

/**
 * The statements that give a fleet past incidents of one of its servers, each of twenty minutes and an hour after the one
 * before: for the control `past` of scripts/lib/fleet-controls.js.
 */
export function pastIncidents({ server = "", count = 1 }: { server?: string; count?: number }) {
  const now = Date.now();
  return Array.from({ length: count }, (_, at) => {
    const openedAt = now - (at + 1) * 40 * minute;
    const closedAt = openedAt + 20 * minute;
    const cause = { code: "down", subject: "", severity: "pages" as const };
    const incident: StoredIncident = {
      ...{ id: crypto.randomUUID(), server, openedAt, closedAt, pagesSince: openedAt },
      ...{ severity: "pages", goodSince: closedAt - 5 * minute, participants: at % 40 },
      causes: [{ ...cause, since: openedAt - 3 * minute, endedAt: closedAt - 5 * minute }],
      changesBefore: [
        { at: openedAt - 9 * minute, code: "boot", subject: "", from: "", to: "" },
        {
          ...{ at: openedAt - 8 * minute, code: "service", subject: "livekit" },
          ...{ from: "livekit/livekit-server:v1.13.5 running" },
          to: "livekit/livekit-server:v1.13.6 running",
        },
      ],
      ...{ told: 2, untold: 0, toldAt: closedAt, toldPages: false, heard: { mail: false } },
    };
    return [
      "insert into incidents (id, server, opened, closed, record) values (?, ?, ?, ?, ?)",
      ...[incident.id, server, openedAt, closedAt, JSON.stringify(incident)],
    ];
  });
}
