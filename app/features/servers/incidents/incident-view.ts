import type { ServerView } from "../fleet/server-view";
import { causeWords } from "./cause-words";
import type { Incident } from "./incident";

const iso = (time: number) => new Date(time).toISOString();
const isoOr = (time: number | undefined) => (time === undefined ? undefined : iso(time));

/** What a server's page says of its incidents; times in ISO 8601. */
export type IncidentView = ReturnType<typeof incidentView>;

/** `incidents`: all that are kept of the server, newest first; undefined from a servers Worker of before. */
export function incidentView(
  { incident, maintenanceUntil }: Pick<ServerView, "incident" | "maintenanceUntil">,
  incidents: readonly Incident[] | undefined,
) {
  return {
    maintenanceUntil: isoOr(maintenanceUntil),
    open: incident && {
      id: incident.id,
      isPaging: incident.severity === "pages",
      openedAt: iso(incident.openedAt),
      acknowledgedAt: isoOr(incident.acknowledged?.at),
      snoozedUntil:
        incident.snoozedUntil !== undefined && incident.snoozedUntil > Date.now()
          ? iso(incident.snoozedUntil)
          : undefined,
      causes: incident.causes.map((cause) => ({
        ...causeWords(cause),
        key: `${cause.code} ${cause.subject}`,
        since: iso(cause.since),
        /** What the doctor found then, in its words. */
        found: cause.found,
        endedAt: isoOr(cause.endedAt),
      })),
    },
    past: incidents?.flatMap(({ id, openedAt, closedAt, causes }) =>
      closedAt === undefined
        ? []
        : [
            {
              id,
              openedAt: iso(openedAt),
              closedAt: iso(closedAt),
              titles: causes.map((cause) => causeWords(cause).title),
            },
          ],
    ),
  };
}
