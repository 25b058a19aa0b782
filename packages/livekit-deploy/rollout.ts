import { randomUUID } from "node:crypto";
import {
  type Rollout,
  rolloutAnswer,
  rolloutList,
  type Server,
  serverAnswer,
} from "./api/answers.ts";
import type { Api } from "./api/api.ts";
import { Failure, UsageError } from "./command.ts";
import { plain } from "./text.ts";

/** Hours of the day in which a server begins a rollout. */
type Window = { from: number; until: number };

export function windowIn(
  hours: string | undefined,
  server: string | undefined,
): Window | undefined {
  if (hours === undefined) return;
  if (server === undefined) throw new UsageError("--window is for a rollout: it needs --server.");
  const [, from, until] = /^([01]\d|2[0-3]):00-([01]\d|2[0-3]):00$/.exec(hours) ?? [];
  if (!from || !until) throw new UsageError("--window takes whole hours, such as 02:00-05:00.");
  return { from: Number(from), until: Number(until) };
}

/** Ends of a rollout after which its server does not run the version. */
const badEnds = ["rolled-back", "aborted", "refused", "expired"];

export const endedBadly = ({ state }: Rollout): boolean => badEnds.includes(state);

/** A server of a deployment. A rollout is of its server's own deployment: another's number would mean another version. */
export async function serverOf(api: Api, deployment: string, server: string): Promise<Server> {
  const { value } = await api.get(`/servers/${server}`, serverAnswer);
  if (value.deployment === deployment) return value;
  const actual = value.deployment === null ? "no deployment" : `the deployment ${value.deployment}`;
  throw new Failure(
    plain(
      `${value.name} is a server of ${actual}, and not of ${deployment}. Nothing was saved, and no rollout was requested.`,
    ),
  );
}

/** Asks that a server takes up a version; undefined where it ran it. What is open for it already is answered again. */
export async function requestedRollout(
  api: Api,
  { id, deployment, version: runs }: Server,
  version: number,
  window: Window | undefined,
): Promise<Rollout | undefined> {
  if (runs?.deployment === deployment && runs.version === version && !runs.is_changed) return;
  const { value } = await api.send("POST", `/servers/${id}/rollouts`, rolloutAnswer, {
    body: { version, ...(window ? { window } : {}) },
    headers: { "idempotency-key": randomUUID() },
  });
  return value;
}

/** The newest rollout of a version on a server. */
export async function newestRollout(
  api: Api,
  server: string,
  version: number,
  retryMs: number,
): Promise<Rollout | undefined> {
  const { value } = await api.get(`/servers/${server}/rollouts`, rolloutList, retryMs);
  return value.items.find((each) => each.version === version);
}

export function rolloutText({
  version,
  state,
  reason,
  approvals,
  approvals_needed: needed,
}: Rollout): string {
  const approved = state === "requested" ? `, ${approvals.length} of ${needed} approvals` : "";
  return plain(
    `The rollout of version ${version} is ${state}${approved}${reason ? `: ${reason}` : "."}`,
  );
}
