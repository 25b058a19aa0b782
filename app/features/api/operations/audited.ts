import type { ChangeOutcome } from "~/features/servers/audit-change.server";
import { type Problem, unavailable } from "../problem";

/** Why a change was not noted, and so is not made: the token was revoked or has ended just now, or nobody answers. */
export function notAudited({ status }: Extract<ChangeOutcome, { ok: false }>): Problem {
  if (status !== 403) return unavailable;
  const detail = "The token was revoked or has ended just now. Nothing was changed.";
  return { problem: "unknown-token", detail };
}
