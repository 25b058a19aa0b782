import { randomUUID } from "node:crypto";
import { type Rollout, rolloutAnswer, rolloutList, serverAnswer } from "./api/answers.ts";
import type { Api } from "./api/api.ts";
import { plain } from "./text.ts";

/** Ends of a rollout after which its server does not run the version. */
const badEnds = ["rolled-back", "aborted", "refused", "expired"];

export const endedBadly = ({ state }: Rollout): boolean => badEnds.includes(state);

/** Asks that a server takes up a version; undefined where it runs it. What is open for it already is answered again. */
export async function requestedRollout(
  api: Api,
  server: string,
  version: number,
): Promise<Rollout | undefined> {
  const { value } = await api.get(`/servers/${server}`, serverAnswer);
  if (value.version?.version === version && !value.version.is_changed) return;
  const { value: rollout } = await api.send("POST", `/servers/${server}/rollouts`, rolloutAnswer, {
    body: { version },
    headers: { "idempotency-key": randomUUID() },
  });
  return rollout;
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
