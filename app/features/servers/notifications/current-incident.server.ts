import type { Incident } from "../incidents/incident";
import { placeOf } from "../state/server-place";
import { clusterIdOf, clusterName, type ServerRecord } from "../state/server-record";
import { recordIn, recordsIn } from "../state/server-table.server";
import { visibleSuspension } from "../state/suspension.server";
import { factsIn } from "../state/workspace-facts.server";
import type { CurrentIncident } from "./current-message";

/** An incident as it is now, with what messages say of its server or its cluster; undefined where that is gone. */
export function currentIncident(
  sql: SqlStorage,
  incident: Incident,
  now: number,
): CurrentIncident | undefined {
  return incident.isCluster ? ofCluster(sql, incident, now) : ofServer(sql, incident, now);
}

function ofServer(sql: SqlStorage, incident: Incident, now: number): CurrentIncident | undefined {
  const record = recordIn(sql, incident.server);
  if (!record) return;
  const { name, maintenanceUntil, deployment, domain, report } = record;
  const reported = {
    domain,
    addresses: report?.addresses ?? [],
    participants: report?.metrics.participants,
  };
  const place = placeOf(reported, deploymentFacts(sql, deployment));
  return { incident, name, maintenanceUntil, deployment, ...unwatchedOf([record], now), place };
}

/** The way there leads to the machine of the worst cause. */
function ofCluster(sql: SqlStorage, incident: Incident, now: number): CurrentIncident | undefined {
  const { server: deployment, causes } = incident;
  const members = recordsIn(sql).filter((each) => clusterIdOf(each) === deployment);
  const worst = causes.find(({ endedAt }) => endedAt === undefined) ?? causes[0];
  const machine = members.find(({ id }) => id === worst?.machine?.id);
  const connected = members.filter(({ retiredAt }) => retiredAt === undefined);
  const [first = machine] = connected;
  if (!first) return;
  const counts = connected.flatMap(({ report }) => report?.metrics.participants ?? []);
  const reported = {
    domain: first.domain,
    addresses: machine?.report?.addresses ?? [],
    participants: counts.length > 0 ? counts.reduce((sum, each) => sum + each) : undefined,
  };
  const facts = deploymentFacts(sql, deployment);
  const name = clusterName(facts?.name, first);
  const place = placeOf(reported, facts);
  // What waits for the end of a maintenance waits for that of all its machines: the step decides that.
  return { incident, name, deployment, ...unwatchedOf(members, now), place };
}

const deploymentFacts = (sql: SqlStorage, deployment: string | undefined) =>
  factsIn(sql)?.deployments?.[deployment ?? ""];

/** Why nobody watches any of these. */
function unwatchedOf(
  records: readonly ServerRecord[],
  now: number,
): Pick<CurrentIncident, "unwatched"> {
  const connected = records.filter(({ retiredAt }) => retiredAt === undefined);
  if (connected.length === 0) return { unwatched: "disconnected" };
  return connected.every((each) => visibleSuspension(each, now)) ? { unwatched: "paused" } : {};
}
