import type { Role } from "~/features/deployments/bundle/bundle-types";
import { isoOf } from "../iso-of";
import { type Layout, logsAround } from "../layout/layout";
import { causeWords, helpPath } from "./cause-words";
import { causeKey, type Incident, type IncidentSummary } from "./incident";
import { untilMorning } from "./morning";

/** What a server's page says of its incidents; times in ISO 8601. */
export type IncidentView = ReturnType<typeof incidentView>;

/** `incidents`: all that are kept of the server, newest first; undefined from a servers Worker of before. */
export function incidentView(
  {
    incident,
    maintenanceUntil,
    zone,
    layout,
  }: {
    incident: IncidentSummary | undefined;
    maintenanceUntil: number | undefined;
    zone?: string | undefined;
    layout?: Layout | undefined;
  },
  incidents: readonly Incident[] | undefined,
) {
  return {
    maintenanceUntil: isoOf(maintenanceUntil),
    open: incident && {
      id: incident.id,
      isPaging: incident.severity === "page",
      untilMorning: untilMorning(zone),
      openedAt: isoOf(incident.openedAt),
      logs: logsCommand(incident, layout),
      /** Whose logs; undefined of a server by itself. */
      logsOf: aboutFirst(incident).machine?.name,
      acknowledged: incident.acknowledged && {
        ...incident.acknowledged,
        at: isoOf(incident.acknowledged.at),
      },
      snoozedUntil:
        incident.snoozedUntil !== undefined && incident.snoozedUntil > Date.now()
          ? isoOf(incident.snoozedUntil)
          : undefined,
      causes: incident.causes.map((cause) => ({
        ...causeWords(cause),
        help: helpPath(cause.code),
        key: causeKey(cause),
        since: isoOf(cause.since),
        /** What the doctor found then, in its words. */
        found: cause.found,
        endedAt: isoOf(cause.endedAt),
      })),
    },
    past: incidents?.flatMap(({ id, openedAt, closedAt, causes }) =>
      closedAt === undefined
        ? []
        : [
            {
              id,
              openedAt: isoOf(openedAt),
              logs: logsCommand({ openedAt, causes }, layout),
              closedAt: isoOf(closedAt),
              titles: causes.map((cause) => causeWords(cause).title),
            },
          ],
    ),
  };
}

/** The service that the causes name first, those that last before the others, and the machine of a cluster that it is on. */
function aboutFirst({ causes }: Pick<IncidentSummary, "causes">) {
  const lasting = causes.filter(({ endedAt }) => endedAt === undefined);
  const among = lasting.length > 0 ? lasting : causes;
  const named = among.map((cause) => ({
    service: /livekit-deploy logs ([a-z-]+)/.exec(causeWords(cause).next)?.[1],
    machine: cause.machine,
  }));
  return named.find(({ service }) => service) ?? { service: undefined, machine: among[0]?.machine };
}

/** A server by itself has what a media machine has. */
const mainServices: Readonly<Record<Role, string>> = {
  edge: "caddy",
  media: "livekit",
  egress: "egress",
};

/**
 * What shows the logs of when an incident began: of the service that its causes name, else of the main one. `layout`: of a
 * machine that was connected as it was.
 */
export function logsCommand(
  { openedAt, causes }: Pick<IncidentSummary, "openedAt" | "causes">,
  layout?: Layout,
): string {
  const begun = Math.min(openedAt, ...causes.map(({ since }) => since));
  if (layout) return logsAround(layout, begun);
  const { service, machine } = aboutFirst({ causes });
  const usual = mainServices[machine?.role ?? "media"];
  return `sudo livekit-deploy logs ${service ?? usual} --around ${new Date(begun).toISOString().slice(0, 16)}Z`;
}
