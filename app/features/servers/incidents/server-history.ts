import type { Change, Report } from "../state/server-record";
import { stages as stageNames } from "../state/state";
import { causeWords } from "./cause-words";
import type { Incident } from "./incident";
import { acknowledgementOf } from "./incident-figures";

/** Something that happened to a server, in a sentence. */
export type HistoryEntry = {
  /** Milliseconds since 1970. */
  at: number;
  title: string;
  /** What it is about, as the machine calls it. */
  subject?: string;
  from?: string;
  to?: string;
  /** What the sentence stands for, oldest first. */
  parts?: readonly { at: number; words: string }[];
};

const maxEntries = 120;

/** What happened to a server, newest first: what changed on it, its first boot, and what became of its incidents. */
export function historyOf({
  changes,
  stages,
  incidents,
}: {
  changes: readonly Change[];
  stages: Report["stages"];
  incidents: readonly Incident[];
}): HistoryEntry[] {
  return [...changeEntries(changes), ...bootEntry(stages), ...incidents.flatMap(incidentEntries)]
    .sort((one, other) => other.at - one.at)
    .slice(0, maxEntries);
}

const minute = 60_000;
/** What restarts or exchanges services is reported by the minute: what is so near to each other is one act. */
const gapMs = 10 * minute;
const maxActMs = 45 * minute;
const actCodes: ReadonlySet<Change["code"]> = new Set(["boot", "version", "node", "service"]);

/** Changes as entries, in any order. Those that are steps of one update, one boot or one start are one entry. */
export function changeEntries(changes: readonly Change[]): HistoryEntry[] {
  const ordered = changes.toReversed().sort((one, other) => one.at - other.at);
  const acts: Change[][] = [];
  for (const change of ordered.filter(({ code }) => actCodes.has(code))) {
    const act = acts.at(-1);
    const [first, last] = [act?.[0], act?.at(-1)];
    const isSame =
      first && last && change.at - last.at <= gapMs && change.at - first.at <= maxActMs;
    if (isSame) act?.push(change);
    else acts.push([change]);
  }
  const others = ordered.filter(({ code }) => !actCodes.has(code));
  return [...acts.flatMap(actEntries), ...others.map(changeEntry)];
}

function actEntries(act: readonly Change[]): HistoryEntry[] {
  const title = actTitle(act);
  const last = act.at(-1);
  if (!title || !last) return act.map(changeEntry);
  if (act.length === 1)
    return updatesIn(act).length > 0 ? [{ at: last.at, title }] : act.map(changeEntry);
  const parts = act.map((change) => ({ at: change.at, words: wordsOf(changeEntry(change)) }));
  return [{ at: last.at, title, parts }];
}

/** The sentence for all of an act; undefined where its changes have nothing in common. */
function actTitle(act: readonly Change[]): string | undefined {
  const updates = updatesIn(act);
  const has = (code: Change["code"]) => act.some((change) => change.code === code);
  const boots = has("boot");
  if (updates.length > 0) {
    return `Updated ${updates.join(", ")}${boots ? ", and the machine booted" : ""}`;
  }
  const version = act.find(({ code, from, to }) => code === "version" && from && to);
  if (version) return `Its files changed from ${version.from} to ${version.to}`;
  if (boots) return "The machine booted";
  if (has("version")) return "Its files changed";
  if (has("node")) return "LiveKit started anew";
  if (act.some(({ from }) => from)) return;
  return `Its services appeared: ${act.map(({ subject }) => subject).join(", ")}`;
}

/** "livekit from v1.13.5 to v1.13.6" for each service whose image is another one in the end. */
function updatesIn(act: readonly Change[]): string[] {
  const services = Map.groupBy(
    act.filter(({ code }) => code === "service"),
    ({ subject }) => subject,
  );
  return [...services].flatMap(([name, changes]) => {
    const before = imageOf(changes.find(({ from }) => from)?.from);
    const after = imageOf(changes.findLast(({ to }) => to)?.to);
    if (!before || !after || before.image === after.image) return [];
    return before.repository === after.repository
      ? [`${name} from ${before.tag} to ${after.tag}`]
      : [`${name} from ${before.image} to ${after.image}`];
  });
}

/** The image of "livekit/livekit-server:v1.13.11 running". */
function imageOf(service: string | undefined) {
  const [image = ""] = (service ?? "").replace(/@sha256:\w+/, "").split(" ");
  const [, repository, tag] = /^(.+):([^:/]+)$/.exec(image) ?? [];
  return repository && tag ? { image, repository, tag } : undefined;
}

const titles: Record<Exclude<Change["code"], "address" | "certificate" | "finding">, string> = {
  boot: "The machine booted",
  version: "Its files changed",
  node: "LiveKit started anew",
  service: "A service changed",
  machine: "Another machine replaced it",
  copy: "Another machine was refused",
};

function changeEntry({ at, code, subject, from, to }: Change): HistoryEntry {
  const named = (title: string, about = subject) => ({
    ...{ at, title },
    ...(about ? { subject: about } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  });
  switch (code) {
    case "finding":
      return { at, title: findingTitle(subject, from, to) };
    case "address":
      return named(
        !from ? "An address appeared" : to ? "Its address changed" : "An address is gone",
      );
    case "certificate":
      return named(certificateTitle(from, to));
    case "service":
      return named(!from ? "A service appeared" : to ? titles.service : "A service is gone");
    default:
      // A code of a later Worker is its own title.
      return named(titles[code] ?? code);
  }
}

/** `from` and `to` are the days on which it ended and ends: ISO 8601, empty where it was not there. */
function certificateTitle(from: string, to: string): string {
  if (!from) return "A certificate appeared";
  if (!to) return "A certificate is gone";
  return to > from ? "A certificate was renewed" : "A certificate changed";
}

/** `subject` has the code of the finding and what that is about; `from` and `to` its severities. */
function findingTitle(subject: string, from: string, to: string): string {
  const [code = "", ...about] = subject.split(" ");
  const { title } = causeWords({ code, subject: about.join(" ") });
  if (!to) return `The doctor no longer finds: ${title}`;
  if (!from) return `The doctor found: ${title}`;
  return `The doctor finds it ${to} by now: ${title}`;
}

function wordsOf({ title, subject, from, to }: HistoryEntry): string {
  const about = subject ? `${title}: ${subject}` : title;
  return from || to ? `${about}, ${from ?? "nothing"} → ${to ?? "nothing"}` : about;
}

/** The first boot as far as it came, by the machine's own clock. */
function bootEntry(reached: Report["stages"]): HistoryEntry[] {
  const last = reached.at(-1);
  if (!last) return [];
  const parts = reached.map(({ code, at }) => ({ at, words: stageTitle(code) }));
  const isOver = reached.some(({ code }) => code === "ready");
  const title = isOver ? "The first boot was complete" : `First boot: ${stageTitle(last.code)}`;
  return [{ at: last.at, title, parts }];
}

const stageTitle = (code: string): string =>
  Object.hasOwn(stageNames, code) ? stageNames[code as keyof typeof stageNames] : code;

/** What nobody on the machine can report: its silence and the end of that, and what people did about an incident. */
function incidentEntries(incident: Incident): HistoryEntry[] {
  const { causes, closedAt } = incident;
  const silences = causes.filter(({ code }) => code === "down" || code === "silent");
  const acknowledged = acknowledgementOf(incident);
  return [
    ...silences.flatMap((cause) => [
      { at: cause.since, title: causeWords(cause).title },
      ...(cause.endedAt === undefined ? [] : [{ at: cause.endedAt, title: "It reports again" }]),
    ]),
    ...(acknowledged
      ? [{ at: acknowledged.at, title: `Acknowledged by ${acknowledged.who ?? "a member"}` }]
      : []),
    ...(closedAt === undefined ? [] : [{ at: closedAt, title: "The incident ended" }]),
  ];
}
