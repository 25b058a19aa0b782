import type { Role } from "~/features/deployments/bundle/bundle-types";
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
  const lost = lostMachines(left, members);
  if (lost.size === 0) return [...redis.causes, ...left];
  const gone = new Set([...lost.values()].map(({ id }) => id));
  const isCarried = carriesWithout(members, gone, now);
  const isRecorded = recordsWithout(members, gone);
  return [...redis.causes, ...left].map((cause) => {
    const machine = lost.get(cause);
    if (!machine || cause.severity === "notify") return cause;
    const isNotify =
      machine.report?.role === "egress" ? isRecorded : isCarried && !hasPaged(cause, former);
    return isNotify ? { ...cause, severity: "notify" as const } : cause;
  });
}

/** What is carried changes from minute to minute: nobody is told twice of one machine. */
const hasPaged = (cause: Wrong, former: Incident | undefined): boolean =>
  former?.causes.some(
    (each) => each.severity === "page" && each.endedAt === undefined && isSameCause(each, cause),
  ) ?? false;

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

const isAtEdge = ({ machine }: Pick<Wrong, "machine">): boolean => machine?.role === "edge";

/** Whether another machine than the edge is down, whose work others of its role may take. */
const isDownBeside = (cause: Wrong): boolean => cause.code === "down" && !isAtEdge(cause);

/** What the loss of Redis, or of the edge that has it, does to the others: their doctors find no other fault of it. */
const isOfRedis = (cause: Wrong): boolean =>
  missesRedis(cause) || (cause.machine?.role === "media" && cause.code === "livekit.silent");

const missesRedis = (cause: Pick<Wrong, "code" | "machine">): boolean =>
  (cause.code === "edge.silent" || cause.code === "redis.unreachable") && !isAtEdge(cause);

/** The machine that each cause is the loss of, where it is one. */
const lostMachines = (causes: readonly Wrong[], members: readonly ServerRecord[]) =>
  new Map(
    causes.flatMap((cause) => {
      const machine = lostMachine(cause, members);
      return machine ? [[cause, machine] as const] : [];
    }),
  );

/** The machine beside the edge that a cause is the loss of: it is down, or the edge finds it silent. */
function lostMachine(cause: Wrong, members: readonly ServerRecord[]): ServerRecord | undefined {
  const { code, machine, subject, found } = cause;
  if (isDownBeside(cause)) return members.find(({ id }) => id === machine?.id);
  if (code !== "node.silent" || !isAtEdge(cause)) return;
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
  return all.some((each) => isDownBeside(each) && each.machine?.id === silent?.id);
}

const isRedisItself = (cause: Wrong): boolean =>
  isAtEdge(cause) &&
  (cause.code === "redis.data" || (cause.code.startsWith("service.") && cause.subject === "redis"));

/**
 * The one cause that stands for a lost Redis, and those for which it stands. LiveKit says nothing while it has no Redis, so
 * that the doctor of each media machine finds two faults, and that of an Egress machine one. Where the edge itself is down,
 * that is the cause.
 */
function lostRedis(
  members: readonly ServerRecord[],
  all: readonly Wrong[],
  now: number,
  former: Incident | undefined,
): { causes: Wrong[]; consequences: ReadonlySet<Wrong> } {
  const without = new Set(
    all.flatMap((cause) => (missesRedis(cause) && cause.machine ? cause.machine.id : [])),
  );
  const atEdge = all.filter(isRedisItself);
  const isEdgeDown = all.some((cause) => cause.code === "down" && isAtEdge(cause));
  const isLost = isSharedLoss(members, without) || mayBeAll(members, without, former);
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
    ...unreachedBy("media", "media machines", members, without),
    ...unreachedBy("egress", "Egress machines", members, without),
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

/** How many machines of a role do not reach Redis, in words; nothing where all do. */
function unreachedBy(
  role: Role,
  words: string,
  members: readonly ServerRecord[],
  without: ReadonlySet<string>,
): string[] {
  const all = members.filter(({ report }) => report?.role === role);
  const count = all.filter(({ id }) => without.has(id)).length;
  return count > 0 ? [`${count} of ${all.length} ${words} do not reach it`] : [];
}

/** Whether machines miss Redis together. Those of Egress alone do not show that people cannot join. */
const isSharedLoss = (members: readonly ServerRecord[], without: ReadonlySet<string>): boolean =>
  without.size > 1 && members.some(({ id, report }) => report?.role === "media" && without.has(id));

/**
 * Whether all machines may miss Redis though one alone says so, or those of Egress alone. They have a fault of their own where
 * the doctor of another one has looked since; until then, some minutes, nobody is told of two faults.
 */
function mayBeAll(
  members: readonly ServerRecord[],
  without: ReadonlySet<string>,
  former: Incident | undefined,
): boolean {
  const isItsOwn = former?.causes.some(
    (cause) =>
      missesRedis(cause) && without.has(cause.machine?.id ?? "") && cause.endedAt === undefined,
  );
  const beside = members.filter(({ report }) => report?.role !== "edge");
  const lookedAt = ({ report }: ServerRecord) => report?.doctorAt ?? 0;
  const foundAt = Math.min(...beside.filter(({ id }) => without.has(id)).map(lookedAt));
  const others = beside.filter(({ id }) => !without.has(id));
  return without.size > 0 && !isItsOwn && others.every((each) => lookedAt(each) < foundAt);
}

/** Whether the media machines that are left carry the busiest half hour of the last day, with those who are in calls now. */
function carriesWithout(
  members: readonly ServerRecord[],
  gone: ReadonlySet<string>,
  now: number,
): boolean {
  const media = members.filter(({ report }) => report?.role === "media");
  const left = media.filter(({ id }) => !gone.has(id));
  const carries = left.reduce((sum, each) => sum + (carriesOf(loadOf(each)) ?? none).people, 0);
  const people = left.reduce((sum, each) => sum + (loadOf(each).people ?? 0), 0);
  const peak = peakOf(media.map(({ day }) => dayAt(day, now)));
  return left.length > 0 && carries >= Math.max(people, peak);
}

const none = { people: 0 };

/** Whether an Egress machine is left, which takes what is recorded from now on. */
const recordsWithout = (members: readonly ServerRecord[], gone: ReadonlySet<string>): boolean =>
  members.some(({ id, report, silence }) => report?.role === "egress" && !silence && !gone.has(id));
