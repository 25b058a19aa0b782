import { dayAt } from "../../metrics/day-line";
import { carriesOf, peakOf } from "../../state/capacity";
import { loadOf, type ServerRecord } from "../../state/server-record";
import type { Outage } from "../../state/state";
import { type Incident, isSameCause, type Wrong } from "../incident";
import { causesOf } from "./server-causes";

/** What is wrong with a cluster: a line for each fault, with the machine that has it. */
export function clusterCauses(
  members: readonly ServerRecord[],
  now: number,
  { outage, former }: { outage?: Outage | undefined; former?: Incident | undefined } = {},
): Wrong[] {
  const found = members.flatMap((member) => causesAt(member, now, outage));
  const all = found.filter((cause) => !isKnownDown(cause, members, found));
  const redis = lostRedis(members, all, now, former);
  const left = all.filter((cause) => !redis.consequences.has(cause));
  const lost = left.filter((cause) => lostMachine(cause, members) !== undefined);
  const isCarried = lost.length > 0 && carriesWithout(members, lost, now);
  return [...redis.causes, ...left].map((cause) => {
    if (!lost.includes(cause) || cause.severity === "notify") return cause;
    // What is carried changes from minute to minute: nobody is told twice of one machine.
    const hasPaged = former?.causes.some(
      (each) => each.severity === "page" && each.endedAt === undefined && isSameCause(each, cause),
    );
    return isCarried && !hasPaged ? { ...cause, severity: "notify" as const } : cause;
  });
}

/** In a cluster a machine's maintenance keeps it from waking anybody, and the others are watched as before. */
function causesAt(member: ServerRecord, now: number, outage: Outage | undefined): Wrong[] {
  const { id, name, report, maintenanceUntil = 0 } = member;
  const machine = { id, name, role: report?.role ?? "media" };
  return causesOf(member, now, outage).map((cause) => ({
    ...cause,
    severity: maintenanceUntil > now ? "notify" : cause.severity,
    machine,
  }));
}

const isDownMedia = ({ code, machine }: Wrong): boolean =>
  code === "down" && machine?.role === "media";

/** What the loss of Redis, or of the edge that has it, does to a media machine: its doctor finds no other fault of it. */
const isOfRedis = (cause: Wrong): boolean =>
  missesRedis(cause) || (cause.machine?.role === "media" && cause.code === "livekit.silent");

const missesRedis = ({ code, machine }: Pick<Wrong, "code" | "machine">): boolean =>
  machine?.role === "media" && (code === "edge.silent" || code === "redis.unreachable");

/** The media machine that a cause is the loss of: it is down, or the edge finds it silent. */
function lostMachine(cause: Wrong, members: readonly ServerRecord[]): ServerRecord | undefined {
  const { code, machine, subject, found } = cause;
  if (isDownMedia(cause)) return members.find(({ id }) => id === machine?.id);
  if (code !== "node.silent" || machine?.role !== "edge") return;
  return members.find(
    ({ name, report }) =>
      found?.startsWith(`${name} (`) ||
      report?.addresses.some(({ address }) => address === subject),
  );
}

/** Whether the edge finds a machine silent of which is known already that it is down. */
function isKnownDown(
  cause: Wrong,
  members: readonly ServerRecord[],
  all: readonly Wrong[],
): boolean {
  if (cause.code !== "node.silent") return false;
  const silent = lostMachine(cause, members);
  return all.some((each) => isDownMedia(each) && each.machine?.id === silent?.id);
}

const isRedisItself = ({ code, subject, machine }: Wrong): boolean =>
  machine?.role === "edge" &&
  (code === "redis.data" || (code.startsWith("service.") && subject === "redis"));

/**
 * The one cause that stands for a lost Redis, and those for which it stands. LiveKit says nothing while it has no Redis, so
 * that the doctor of each media machine finds two faults. Where the edge itself is down, that is the cause.
 */
function lostRedis(
  members: readonly ServerRecord[],
  all: readonly Wrong[],
  now: number,
  former: Incident | undefined,
): { causes: Wrong[]; consequences: ReadonlySet<Wrong> } {
  const media = members.filter(({ report }) => report?.role === "media");
  const without = new Set(
    all.flatMap((cause) => (missesRedis(cause) && cause.machine ? cause.machine.id : [])),
  );
  const atEdge = all.filter(isRedisItself);
  const isEdgeDown = all.some(({ code, machine }) => code === "down" && machine?.role === "edge");
  const isLost = without.size > 1 || (without.size === 1 && mayBeAll(media, without, former));
  if (!isLost && !atEdge.some(({ severity }) => severity === "page") && !isEdgeDown) {
    return { causes: [], consequences: new Set() };
  }
  const consequences = all.filter(
    (cause) => isRedisItself(cause) || (isOfRedis(cause) && without.has(cause.machine?.id ?? "")),
  );
  if (isEdgeDown) return { causes: [], consequences: new Set(consequences) };
  const edge = members.find(({ report }) => report?.role === "edge");
  const found = [
    ...atEdge.flatMap((each) => each.found ?? []),
    ...(without.size > 0
      ? [`${without.size} of ${media.length} media machines do not reach it`]
      : []),
  ].join("; ");
  const isQuiet = consequences.every(({ severity }) => severity === "notify");
  const cause: Wrong = {
    ...{ code: "redis.lost", subject: "", severity: isQuiet ? "notify" : "page" },
    since: Math.min(now, ...consequences.map(({ since }) => since)),
    ...(found ? { found } : {}),
    ...(edge ? { machine: { id: edge.id, name: edge.name, role: "edge" as const } } : {}),
  };
  return { causes: [cause], consequences: new Set(consequences) };
}

/**
 * Whether all media machines may miss Redis though one alone says so. It has a fault of its own where the doctor of another
 * one has looked since; until then, some minutes, nobody is told of two faults.
 */
function mayBeAll(
  media: readonly ServerRecord[],
  without: ReadonlySet<string>,
  former: Incident | undefined,
): boolean {
  const isItsOwn = former?.causes.some(
    (cause) =>
      missesRedis(cause) && without.has(cause.machine?.id ?? "") && cause.endedAt === undefined,
  );
  const foundAt = media.find(({ id }) => without.has(id))?.report?.doctorAt ?? 0;
  const others = media.filter(({ id }) => !without.has(id));
  return !isItsOwn && others.every(({ report }) => (report?.doctorAt ?? 0) < foundAt);
}

/** Whether the media machines that are left carry the busiest half hour of the last day, with those who are in calls now. */
function carriesWithout(
  members: readonly ServerRecord[],
  lost: readonly Wrong[],
  now: number,
): boolean {
  const gone = new Set(lost.map((cause) => lostMachine(cause, members)?.id));
  const media = members.filter(({ report }) => report?.role === "media");
  const left = media.filter(({ id }) => !gone.has(id));
  const carries = left.reduce((sum, each) => sum + (carriesOf(loadOf(each)) ?? none).people, 0);
  const people = left.reduce((sum, each) => sum + (loadOf(each).people ?? 0), 0);
  const peak = peakOf(media.map(({ day }) => dayAt(day, now)));
  return left.length > 0 && carries >= Math.max(people, peak);
}

const none = { people: 0 };
