import type { Deployment, ProgressStep } from "./stored-deployment.ts";

/** That a step was seen to be done on a server, and the newest version of those that show it, where one says it. */
export type SeenStep = { at: string; version: number | undefined };

/** How much a server wants somebody now: critical is what its users feel. */
export type Urgency = "critical" | "warning";

/** What the servers of a deployment say of themselves. */
export type ReportedServers = {
  /** What is wrong with them or under way, the worst first: sentences without their full stops. */
  sentences: readonly string[];
  /** Of the worst; undefined where nothing is wrong. */
  urgency: Urgency | undefined;
  /** Which connected ones run which version as it was made, the oldest version first. */
  running: readonly { version: number; names: readonly string[] }[];
  hasConnected: boolean;
  seen: Partial<Record<ProgressStep, SeenStep>>;
};

/** By the id of the deployment; one without servers is not in it. */
export type Reports = ReadonlyMap<string, ReportedServers>;

/**
 * The deployment with the version that its connected servers say they run, the oldest where they differ: what is still to
 * be done counts from there. One whose files are not those of its version has applied none. As it was where none says it.
 */
export function asReported<Of extends Pick<Deployment, "id" | "applied">>(
  deployment: Of,
  reports: Reports,
): Of {
  const oldest = reports.get(deployment.id)?.running[0];
  if (!oldest) return deployment;
  return { ...deployment, applied: { version: oldest.version, at: undefined } };
}

/** Names in a sentence, of many the first. */
export function namesInWords(names: readonly string[]): string {
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
  return [shown.slice(0, -1).join(", "), shown.at(-1)].filter(Boolean).join(" and ");
}
