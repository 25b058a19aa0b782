import {
  namesInWords,
  type ReportedServers,
  type Reports,
  type SeenStep,
} from "~/features/deployments/reported-servers";
import type { ProgressStep } from "~/features/deployments/stored-deployment";
import { isoOf } from "../iso-of";
import { runsVersion } from "./runs-version";
import { byName, serverNeeds } from "./server-needs";
import type { ServerView } from "./server-view";

/** More sentences about one deployment are a number. */
const maxSentences = 3;

/** What the servers of each deployment say of themselves. Servers come newest first. */
export function reportedServers(servers: readonly ServerView[]): Reports {
  const made = servers.flatMap(({ deployment, ...view }) =>
    deployment === undefined ? [] : [{ ...view, deployment }],
  );
  const byDeployment = Map.groupBy(made, ({ deployment }) => deployment);
  return new Map([...byDeployment].map(([id, views]) => [id, ofDeployment(views)]));
}

function ofDeployment(views: readonly ServerView[]): ReportedServers {
  const connected = views.filter(({ retiredAt }) => retiredAt === undefined).sort(byName);
  const needs = connected.flatMap(({ name, ...view }) =>
    serverNeeds({ name, ...view }).map((need) => ({ ...need, name })),
  );
  const worst = needs.toSorted((one, other) => one.rank - other.rank);
  const sentences =
    connected.length > 0
      ? [...limited(sentencesOf(worst)), ...fileSentences(connected)]
      : [disconnectedWords(views.toSorted(byName).map(({ name }) => name))];
  return {
    sentences,
    urgency: worst[0]?.urgency,
    running: runningOf(connected),
    hasConnected: connected.length > 0,
    seen: seenOn(views),
  };
}

type NamedNeed = ReturnType<typeof serverNeeds>[number] & { name: string };
type Sentence = { words: string; names: string[] };

/** Servers that need the same are in one sentence. */
function sentencesOf(needs: readonly NamedNeed[]): Sentence[] {
  const alike = Map.groupBy(needs, ({ words }) => words("", false));
  return [...alike.values()].map((group) => {
    const names = group.map(({ name }) => name);
    return { words: group[0]?.words(namesInWords(names), names.length > 1) ?? "", names };
  });
}

function limited(sentences: readonly Sentence[]): string[] {
  const words = sentences.map((each) => each.words);
  if (sentences.length <= maxSentences) return words;
  const others = new Set(sentences.slice(maxSentences - 1).flatMap(({ names }) => names));
  const rest = others.size === 1 ? "one more needs a look" : `${others.size} more need a look`;
  return [...words.slice(0, maxSentences - 1), rest];
}

/** Those whose files are no version of this deployment, which says nothing else of what they run. */
function fileSentences(connected: readonly ServerView[]): string[] {
  const withRuns = connected.map((view) => ({
    name: view.name,
    runs: runsVersion(view, undefined),
  }));
  const changed = withRuns.flatMap(({ name, runs }) =>
    runs?.kind === "version" && runs.isChanged ? [{ name, version: runs.version }] : [],
  );
  const foreign = withRuns.flatMap(({ name, runs }) =>
    runs?.kind === "another-deployment" ? [name] : [],
  );
  return [
    ...[...Map.groupBy(changed, ({ version }) => version)].map(
      ([version, group]) =>
        `The files of ${namesInWords(group.map(({ name }) => name))} differ from version ${version}`,
    ),
    ...(foreign.length > 0
      ? [
          `${namesInWords(foreign)} ${foreign.length > 1 ? "run" : "runs"} files of another deployment`,
        ]
      : []),
  ];
}

function disconnectedWords(names: readonly string[]): string {
  return `${namesInWords(names)} ${names.length > 1 ? "are" : "is"} disconnected, not watched`;
}

function runningOf(connected: readonly ServerView[]): ReportedServers["running"] {
  const versions = connected.flatMap((view) => {
    const version = versionOf(view);
    return version === undefined ? [] : [{ version, name: view.name }];
  });
  return [...Map.groupBy(versions, ({ version }) => version)]
    .map(([version, group]) => ({ version, names: group.map(({ name }) => name) }))
    .sort((one, other) => one.version - other.version);
}

/** The version of its deployment that a server runs as it was made; undefined where it runs none, or does not say it. */
function versionOf(view: ServerView): number | undefined {
  const runs = runsVersion(view, undefined);
  return runs?.kind === "version" && !runs.isChanged ? runs.version : undefined;
}

/**
 * Which steps the servers of a deployment show to be done, those that were disconnected since too: that it introduced
 * itself, that its doctor, who looks at DNS too, found nothing critical, and that somebody was in a call. What was so once
 * is done, whatever is wrong later. A step counts from when it was first done.
 */
function seenOn(views: readonly ServerView[]): ReportedServers["seen"] {
  const seen: Partial<Record<ProgressStep, SeenStep>> = {};
  for (const view of views) {
    const version = versionOf(view);
    for (const [step, at] of stepsOn(view)) {
      const newest = Math.max(version ?? 0, seen[step]?.version ?? 0);
      seen[step] = { at, version: newest === 0 ? undefined : newest };
    }
  }
  return seen;
}

function stepsOn(view: ServerView): [ProgressStep, string][] {
  const { enrolledAt, doctorAt, findings, day, lastReportAt, participants = 0, stages } = view;
  const { milestones = {} } = view;
  const critical = findings.filter(({ severity }) => severity === "critical");
  const hasCall = participants > 0 || day.some((most) => (most ?? 0) > 0);
  const passedAt =
    milestones.doctorPassedAt ??
    stages.find(({ code }) => code === "ready")?.at ??
    (critical.length === 0 ? doctorAt : undefined);
  const dnsAt = passedAt ?? (critical.some(isAboutDns) ? undefined : doctorAt);
  const callAt = milestones.callAt ?? (hasCall ? lastReportAt : undefined);
  const times: [ProgressStep, number | undefined][] = [
    ["files", enrolledAt],
    ["machine", enrolledAt],
    ["dns", dnsAt],
    ["answer", passedAt],
    ["doctor", passedAt],
    ["connect", callAt],
  ];
  return times.flatMap(([step, at]) => (at === undefined ? [] : [[step, isoOf(at)]]));
}

const isAboutDns = ({ code }: { code: string }) => code.startsWith("dns.");
