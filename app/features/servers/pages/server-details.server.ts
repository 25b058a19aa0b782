import type { SupabaseClient } from "@supabase/supabase-js";
import type { Role } from "~/features/deployments/bundle/bundle-types";
import type { ServerPage, ServerView } from "~/features/servers/pages/server-view";
import { type ServerState, stages } from "~/features/servers/state/state";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";
import { causeWords, helpPath } from "../incidents/cause-words";
import type { Incident } from "../incidents/incident";
import { isoOf } from "../iso-of";
import { connectedCommands, layoutWords, missingOf } from "../layout/layout";
import { chartsOf } from "../metrics/charts.server";
import { isAboutVersion } from "../state/advisory-findings";
import { placeOf } from "../state/server-place";
import { measureWords } from "../state/thresholds";
import { marksOf } from "./marks.server";
import { rungLines } from "./rung-lines";
import { runsVersion } from "./runs-version";
import { isCritical } from "./server-needs";
import { ingestOutageWords, type StateWords, stateWords } from "./state-words";

const dayMs = 86_400_000;

export type StageLine = { title: string; at: string | undefined; isNext: boolean };
export type FindingLine = {
  key: string;
  title: string;
  /** What the doctor found, in its words, such as "88 % used"; it may have said nothing. */
  found: string;
  /** What to do; undefined where the open incident on the same page says it. */
  next: string | undefined;
  /** Where the documentation is about it. */
  help: string | undefined;
  isCritical: boolean;
  /** Its severity in words. */
  badge: "Does not work" | "Update needed" | "Your threshold" | "Look at it";
};

/** A server as a line of a list. */
export type ServerLine = {
  id: string;
  /** Undefined where the machine was connected as it was. */
  deployment: string | undefined;
  name: string;
  state: StateWords;
  labels: readonly string[];
  /** Undefined before LiveKit's first figures, and where the last report says nothing of now. */
  participants: number | undefined;
  /** How many were in calls when it last reported, where that is not now. */
  lastParticipants: number | undefined;
  lastReportAt: string | undefined;
  /** Whether another machine wants to replace it. */
  hasRequest: boolean;
  /** What it is in its cluster; undefined where it is a server by itself. */
  role: Role | undefined;
};

export function serverLine(view: ServerView): ServerLine {
  return {
    id: view.id,
    deployment: view.deployment,
    name: view.name,
    labels: view.labels ?? [],
    state:
      view.ourFault === undefined
        ? stateWords(view.state, isCritical(view), view.role)
        : ingestOutageWords(view.ourFault),
    ...(isReporting(view)
      ? { participants: view.participants, lastParticipants: undefined }
      : { participants: undefined, lastParticipants: view.participants }),
    lastReportAt: isoOf(view.lastReportAt),
    hasRequest: view.request !== undefined,
    role: view.role,
  };
}

const notReporting: readonly ServerState["code"][] = ["silent", "down", "paused", "retired"];

/** Whether the server reports, so that its figures are those of now. */
function isReporting({ state }: ServerView): boolean {
  return !notReporting.includes(state.code);
}

/** What the page of a server shows, in words; times in ISO 8601. */
export type ServerDetails = ReturnType<typeof serverDetails>;

/** `deployment`: its deployment, where it can be read. `sessionsCommand`: as in `missingOf`. */
export function serverDetails(
  view: ServerPage & { incidents?: Incident[] },
  deployment: ServerDeployment | undefined,
  sessionsCommand?: string,
) {
  const { request, doctorAt, backupAt, ourFault, state, domain } = view;
  return {
    ...serverLine(view),
    readAt: isoOf(view.readAt),
    enrolledAt: isoOf(view.enrolledAt),
    isRetired: view.retiredAt !== undefined,
    /** Whether people call through it: nobody connects to an Egress machine. */
    hasCalls: view.role !== "egress",
    ourFault: isoOf(ourFault),
    /** Why nobody watches it; undefined where somebody does. */
    paused: state.code === "paused" && !state.isEnding ? state.why : undefined,
    runs: view.deployment === undefined ? undefined : runsVersion(view, deployment?.version),
    /** How its LiveKit runs, where the machine was connected as it was. */
    layout: view.layout && {
      words: layoutWords(view.layout, view.release),
      missing: missingOf(view.layout, view.domain, sessionsCommand),
    },
    /** What takes the connection away there, where the machine or cluster was connected as it was. */
    asItWas:
      view.deployment === undefined
        ? {
            removal: connectedCommands(view.layout ?? { kind: "none" }).removal,
            isCluster: view.layout?.kind === "kubernetes",
          }
        : undefined,
    place: placeOf({ ...view, domain }, deployment),
    /** The domain of its deployment, where the server says another one. */
    otherDomain:
      domain !== undefined && deployment?.domain && deployment.domain !== domain
        ? deployment.domain
        : undefined,
    cores: view.capacity.cpus,
    bootedAt: isoOf(view.bootedAt),
    liveKitSince: isoOf(view.liveKitSince),
    isBooting: view.state.code === "booting" || view.state.code === "waiting",
    request: request && { instance: request.instance, at: isoOf(request.at) },
    stages: stageLines(view),
    findings: view.findings
      .map((finding) => findingLine(finding, view))
      .sort((one, other) => Number(other.isCritical) - Number(one.isCritical)),
    doctorAt: isoOf(doctorAt),
    backupAt: isoOf(backupAt),
    rebootPending: view.rebootPending,
    services: view.services,
    addresses: view.addresses,
    certificates: view.certificates.map(({ name, ends }) => ({ name, ends: isoOf(ends) })),
    isReporting: isReporting(view),
    isSimulated: view.isSimulated === true,
    /** Undefined before the first check from outside. */
    outside: view.outside && {
      at: isoOf(view.outside.at),
      changedAt: isoOf(view.outside.changedAt),
      lines: rungLines(view.outside.results),
      isScheduled: view.outside.isScheduled,
    },
    /** Undefined from a servers Worker of before. */
    history: view.history?.map((entry) => ({
      ...entry,
      isRecent: view.readAt - entry.at < dayMs,
    })),
    charts: chartsOf({
      ...view,
      marks: marksOf(view.series, view),
      teamLimits: teamLimits(view),
    }),
    thresholds: (view.thresholds ?? []).map(({ id, measure, value, severity, deployment }) => ({
      ...{ id, measure, words: measureWords(measure, value) },
      isPaging: severity === "page",
      isOwn: deployment !== undefined,
    })),
    traffic: view.traffic && {
      month: view.traffic.month,
      sent: gigabytes(view.traffic.out),
      received: gigabytes(view.traffic.in),
    },
  };
}

/** "1,234 GB", and "1.2 GB" of little. */
const gigabytes = (bytes: number): string =>
  measureWords("traffic", Number((bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0)));

/** Thresholds in the units of the charts. */
function teamLimits({ thresholds = [], capacity }: ServerPage) {
  return thresholds.flatMap(({ measure, value, severity }) => {
    const whole = { load: capacity.cpus, memory: capacity.memory, disk: capacity.disk };
    if (measure === "traffic") return [];
    const of = measure === "participants" ? 100 : whole[measure];
    if (of === undefined) return [];
    const isCritical = severity === "page";
    const words = isCritical ? "you are told at once" : "you are told once a day";
    return [{ figure: measure, value: (value / 100) * of, words, isCritical }];
  });
}

/** Every stage of a first boot, with its time where it was reached. */
function stageLines({ stages: reached }: ServerView): StageLine[] {
  const times = new Map(reached.map(({ code, at }) => [code, at]));
  const codes = Object.keys(stages) as (keyof typeof stages)[];
  const next = codes.find((code) => !times.has(code));
  return codes.map((code) => {
    const at = times.get(code);
    return {
      title: stages[code],
      at: isoOf(at),
      isNext: code === next,
    };
  });
}

function findingLine(
  { code, severity, subject, found, wanted }: ServerView["findings"][number],
  { incident, role }: Pick<ServerView, "incident" | "role">,
): FindingLine {
  const { title, next } = causeWords({ code, subject, wanted, ...(role && { machine: { role } }) });
  const isShownWithIncident = incident?.causes.some(
    (cause) => cause.code === code && cause.subject === subject && cause.endedAt === undefined,
  );
  const isCritical = severity === "critical";
  const help = helpPath(code);
  // What has an advisory works. Its command stands beside it also where the incident has it.
  if (isAboutVersion({ code }))
    return {
      key: `${code} ${subject}`,
      title,
      found,
      next,
      help,
      isCritical,
      badge: "Update needed",
    };
  return {
    key: `${code} ${subject}`,
    title,
    found,
    next: isShownWithIncident ? undefined : next,
    help,
    isCritical,
    badge: code.startsWith("threshold.")
      ? "Your threshold"
      : isCritical
        ? "Does not work"
        : "Look at it",
  };
}

/** The newest version of a server's deployment, and where that says that the server is. */
type ServerDeployment = { name: string; version: number } & Partial<
  Record<"domain" | "provider" | "system", string | undefined>
>;

/** The deployment of a server, as the visitor may read it; undefined where it cannot be read or is gone. */
export async function serverDeployment(
  supabase: SupabaseClient<Database>,
  { deployment }: { deployment?: string | undefined },
): Promise<ServerDeployment | undefined> {
  if (deployment === undefined) return;
  const { data, error } = await supabase
    .from("deployments")
    .select(
      "name, version, domain:options->>domain, provider:options->>provider, system:options->>system",
    )
    .eq("id", deployment)
    .maybeSingle();
  if (error) log.error("The deployment of a server could not be read", describeError(error));
  return data ?? undefined;
}
