import { randomUUID } from "node:crypto";
import {
  type Rollout,
  rolloutAnswer,
  rolloutList,
  type Server,
  serverAnswer,
} from "./api/answers.ts";
import type { Api } from "./api/api.ts";
import { Failure } from "./command.ts";
import { plain } from "./text.ts";

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
): Promise<Rollout | undefined> {
  if (runs?.deployment === deployment && runs.version === version && !runs.is_changed) return;
  const { value } = await api.send("POST", `/servers/${id}/rollouts`, rolloutAnswer, {
    body: { version },
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
