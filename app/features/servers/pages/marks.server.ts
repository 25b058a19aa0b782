import { causeWords } from "../incidents/cause-words";
import type { Incident } from "../incidents/incident";
import { isoOf } from "../iso-of";
import type { Mark } from "../metrics/charts.server";
import type { Series } from "../metrics/series";
import type { Change } from "../state/server-record";

/** The marks of a server's charts, oldest first. `incidents`: a servers Worker of before does not say them. */
export function marksOf(
  { from, stepMs, figures }: Series,
  {
    readAt,
    changes,
    incidents = [],
  }: {
    readAt: number;
    changes: readonly Change[];
    incidents?: readonly Incident[] | undefined;
  },
): Mark[] {
  const steps = figures.participants.mean.length;
  const stepAt = (time: number) =>
    Math.min(steps, Math.max(0, Math.round(((time - from) / stepMs) * 10) / 10));
  const ofIncidents = incidents.map(({ severity, openedAt, closedAt, causes }) => ({
    kind: severity,
    words: `Incident: ${causes.map((cause) => causeWords(cause).title).join("; ")}`,
    begin: openedAt,
    end: closedAt ?? readAt,
    ...(closedAt === undefined ? {} : { until: isoOf(closedAt) }),
  }));
  return [...ofIncidents, ...momentsOf(changes)]
    .filter(({ end }) => end >= from)
    .sort((one, other) => one.begin - other.begin)
    .map(({ begin, end, ...mark }) => ({
      ...mark,
      at: isoOf(begin),
      from: stepAt(begin),
      to: stepAt(end),
    }));
}

/** What one report said is one moment: a reboot changes much, and an update several services. */
function momentsOf(changes: readonly Change[]) {
  const times = [...new Set(changes.map(({ at }) => at))];
  return times.flatMap((at) => {
    const same = changes.filter((change) => change.at === at);
    const moment = same.some(({ code }) => code === "boot")
      ? ({ kind: "reboot", words: "Reboot" } as const)
      : (updateOf(same) ?? restartOf(same));
    return moment ? [{ ...moment, begin: at, end: at }] : [];
  });
}

function updateOf(changes: readonly Change[]) {
  const replaced = changes.flatMap(({ code, subject, from, to }) => {
    if (code === "version")
      return from || to ? `${from || "nothing"} → ${to || "nothing"}` : "files";
    const [before, after] = [imageOf(from), imageOf(to)];
    if (code !== "service" || !before || !after || before === after) return [];
    return `${subject} ${tagOf(before)} → ${tagOf(after)}`;
  });
  if (replaced.length === 0) return;
  return { kind: "update", words: `Update: ${replaced.join(", ")}` } as const;
}

const restartOf = (changes: readonly Change[]) =>
  changes.some(({ code }) => code === "node")
    ? ({ kind: "restart", words: "LiveKit started anew" } as const)
    : undefined;

/** Of a service a change says "livekit/livekit-server:v1.13.5 running". */
const imageOf = (words: string): string | undefined =>
  words
    .replace(/@sha256:\w+/, "")
    .split(" ")
    .find((one) => one.includes(":"));

const tagOf = (image: string): string => image.replace(/^.*:/, "");
