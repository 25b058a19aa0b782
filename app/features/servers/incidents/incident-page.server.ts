import { momentOf } from "~/ui/dates";
import type { ServerRecord } from "../state/server-record";
import { causeWords } from "./cause-words";
import { type Cause, causeKey, type Incident } from "./incident";
import { durationWords } from "./incident-figures";
import { type IncidentLine, incidentLine } from "./incident-list.server";
import { changeEntries, type HistoryEntry } from "./server-history";

/** One incident with all that is stored of it. Times in milliseconds since 1970. */
export type IncidentPage = IncidentLine & {
  readAt: number;
  domain: string | undefined;
  causes: {
    key: string;
    machine: Cause["machine"];
    code: string;
    subject: string;
    title: string;
    next: string;
    since: number;
    endedAt: number | undefined;
    found: string | undefined;
  }[];
  /** What changed on the server in the hour before, newest first. */
  before: HistoryEntry[];
  /** To be completed and sent by the team to whom it concerns. */
  text: string;
};

export function incidentPage(
  incident: Incident,
  server: Pick<ServerRecord, "id" | "name" | "deployment" | "domain"> | undefined,
  now: number,
): IncidentPage {
  const line = incidentLine(incident, server, now);
  const before = changeEntries(incident.changesBefore ?? []).sort(
    (one, other) => other.at - one.at,
  );
  const domain = server?.domain;
  const causes = incident.causes.map((cause) => ({
    ...causeWords(cause),
    key: causeKey(cause),
    ...{ code: cause.code, subject: cause.subject, machine: cause.machine },
    ...{ since: cause.since, endedAt: cause.endedAt, found: cause.found },
  }));
  const page = { ...line, readAt: now, domain, causes, before };
  return { ...page, text: afterwardsText(page) };
}

/** The post-mortem text that a team sends afterwards, made of what is stored. */
function afterwardsText(page: Omit<IncidentPage, "text">): string {
  const { server, domain, titles, beganAt, endedAt, participants, causes, before } = page;
  const at = (time: number) => momentOf(new Date(time));
  const place = domain ? `${server.name} (${domain})` : server.name;
  const lines = [
    `Incident: ${titles[0] ?? "something was wrong"}, ${server.isCluster ? "in the cluster" : "on"} ${place}`,
    "",
    `Began: ${at(beganAt)}`,
    endedAt === undefined
      ? "Ended: it lasts still"
      : `Ended: ${at(endedAt)}, after ${durationWords(endedAt - beganAt)}`,
    ...(participants === undefined ? [] : [`In calls when it began: ${participants}`]),
    acknowledgedLine(page),
    "",
    "What was wrong",
    ...causes.map(
      ({ title, since, endedAt, found }) =>
        `- ${title}, since ${at(since)}${endedAt === undefined ? "" : `, until ${at(endedAt)}`}${found ? `. Found: ${found}` : ""}`,
    ),
    "",
    "What changed in the hour before",
    ...(before.length > 0
      ? before.map((entry) => `- ${at(entry.at)}: ${entryWords(entry)}`)
      : ["- Nothing that the server reported"]),
    "",
    "Whom it reached, and how they noticed",
    "- ",
    "",
    "What we did",
    "- ",
    "",
    "What we do so that it does not happen again",
    "- ",
  ];
  return lines.join("\n");
}

function acknowledgedLine({ acknowledged, acknowledgedAfterMs }: Omit<IncidentPage, "text">) {
  return acknowledged && acknowledgedAfterMs !== undefined
    ? `Acknowledged: ${momentOf(new Date(acknowledged.at))}, ${durationWords(acknowledgedAfterMs)} after it paged`
    : "Acknowledged: by nobody";
}

const entryWords = ({ title, subject, from, to }: HistoryEntry): string =>
  [
    title,
    ...(subject ? [subject] : []),
    ...(from || to ? [`${from ?? "nothing"} → ${to ?? "nothing"}`] : []),
  ].join(" ");
