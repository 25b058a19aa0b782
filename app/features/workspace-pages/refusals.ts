import type { WorkspaceWords } from "./workspace-words.server";

/** Why a change of a workspace is refused: what the database answers, or what the form lacks. */
export type Refused = keyof WorkspaceWords["refused"];

type RefusalStatus = 400 | 403 | 404 | 409 | 429 | 502 | 503;

const statuses: Partial<Record<Refused, RefusalStatus>> = {
  missing: 404,
  "not allowed": 403,
  "too many today": 429,
  "unknown role": 400,
  address: 400,
  name: 400,
  confirmation: 400,
  intent: 400,
  stripe: 502,
  unavailable: 503,
  "half deleted": 503,
};

export function statusOf(refused: Refused): RefusalStatus {
  return statuses[refused] ?? 409;
}
