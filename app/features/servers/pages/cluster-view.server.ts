import type { IncidentSummary } from "../incidents/incident";
import { incidentView } from "../incidents/incident-view";
import { isEnded, type RolloutView } from "../rollouts/rollout";
import { stateWords as rolloutWords } from "../rollouts/state-words";
import { type ClusterCapacity, carriesOf, clusterCapacity } from "../state/capacity";
import { byRole, clusterName } from "../state/server-record";
import { clusterState, machinesWords } from "./cluster-words";
import { runsVersion, runsVersionWords } from "./runs-version";
import { serverLine } from "./server-details.server";
import { byName } from "./server-needs";
import type { FleetOverview, ServerView } from "./server-view";

type Fleet = Pick<FleetOverview, "readAt" | "servers" | "clusters" | "zone">;

/** The machines of a cluster that are connected, its edge first. None where the deployment's servers are none. */
export function clusterMachines(servers: readonly ServerView[], deployment: string): ServerView[] {
  return servers
    .filter((view) => view.deployment === deployment && view.role && view.retiredAt === undefined)
    .sort((one, other) => byRole(one, other) || byName(one, other));
}

/** Of those that report, how many people the cluster carries. */
export function capacityOf(machines: readonly ServerView[]): ClusterCapacity | undefined {
  const media = machines.filter(({ role }) => role === "media");
  return clusterCapacity(
    media.map((view) => ({ ...loadOf(view), day: view.day, isWell: carriesCalls(view) })),
  );
}

/** A machine that boots or is updated carries what it has; nothing is put on one that is lost. */
const carriesCalls = ({ state }: ServerView): boolean =>
  state.code === "healthy" || state.code === "degraded" || state.code === "updating";

/** Whether nobody can join while this lasts, however many the media machines would carry. */
const stopsJoining = ({ code, machine, endedAt }: IncidentSummary["causes"][number]): boolean =>
  endedAt === undefined && (code === "redis.lost" || (code === "down" && machine?.role === "edge"));

const isUnheard = ({ state }: ServerView): boolean =>
  state.code === "down" || state.code === "silent";

export type ClusterView = NonNullable<ReturnType<typeof clusterView>>;

/**
 * What the page of a deployment shows of its cluster; undefined where it has none. `rollouts`: of one of its machines, the
 * newest first.
 */
export function clusterView(
  { readAt, servers, clusters, zone }: Fleet,
  deployment: { id: string; name: string; version: number },
  rollouts: readonly RolloutView[] = [],
) {
  const machines = clusterMachines(servers, deployment.id);
  const [first] = machines;
  if (!first) return;
  const incident = clusters?.find((each) => each.deployment === deployment.id)?.incident;
  const ends = machines.map(({ maintenanceUntil }) => maintenanceUntil);
  const isQuiet = ends.every((end) => end !== undefined);
  const [newest] = rollouts;
  const rollout = newest && isShown(newest, readAt) ? newest : undefined;
  return {
    name: clusterName(deployment.name, first),
    words: machinesWords(machines),
    state: clusterState(machines, incident),
    incidents: incidentView(
      { incident, maintenanceUntil: isQuiet ? Math.min(...ends) : undefined, zone },
      undefined,
    ),
    capacity: capacityOf(machines),
    isClosed: incident?.causes.some(stopsJoining) ?? false,
    rollout: rollout && { version: rollout.version, isOpen: isOpen(rollout) },
    machines: machines.map((view) => machineLine(view, deployment.version, rollout)),
  };
}

export type MachineLine = ReturnType<typeof machineLine>;

function machineLine(view: ServerView, version: number, rollout: RolloutView | undefined) {
  const runs = runsVersion(view, version);
  const carries = view.role === "media" && carriesCalls(view) ? carriesOf(loadOf(view)) : undefined;
  return {
    ...serverLine(view),
    role: view.role ?? "media",
    // Of a machine that says nothing it would be that of then.
    load: isUnheard(view) ? undefined : view.load,
    carries: carries?.people,
    runs: runs && runsVersionWords(runs),
    step: rollout && stepOf(rollout, view.id),
    isInMaintenance: view.maintenanceUntil !== undefined,
  };
}

const loadOf = ({ participants, load, cpus }: ServerView) => ({ people: participants, load, cpus });

const isOpen = ({ targets }: RolloutView): boolean => targets.some(({ state }) => !isEnded(state));

const dayMs = 86_400_000;

/** One that has ended is shown for a day. */
function isShown(rollout: RolloutView, now: number): boolean {
  const ended = rollout.targets.flatMap(({ steps }) => steps.at(-1)?.at ?? []);
  return isOpen(rollout) || now - Math.max(0, ...ended) < dayMs;
}

/** How far a rollout is on a machine, in words. */
function stepOf({ targets }: RolloutView, server: string): string | undefined {
  const target = targets.find((each) => each.server === server);
  const current = targets.find(({ state }) => !isEnded(state));
  if (!target) return;
  if (target.state === "approved" && current !== target) return "Waits for its turn";
  return [rolloutWords[target.state], target.reason].filter(Boolean).join(": ");
}
