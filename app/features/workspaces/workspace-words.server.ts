import type { PostgrestError } from "@supabase/supabase-js";
import address from "~/content/workspace-pages.json?url&no-inline";
import { pageTexts } from "~/http/assets.server";
import { isRoleRefusal } from "~/platform/database/role-refusal";
import { describeError, log } from "~/platform/log/log.server";
import { fill } from "./fill";
import { roleChanged } from "./roles";

export type WorkspaceWords = typeof import("~/content/workspace-pages.json");

export const workspaceWords = pageTexts<WorkspaceWords>(address, "This workspace");

/** Why a change of a workspace is refused: what the database answers, or what the form lacks. */
export type Refused = keyof WorkspaceWords["refused"] | "not allowed";

type RefusalStatus = 400 | 403 | 404 | 409 | 429 | 502 | 503;

const statuses: Partial<Record<Refused, RefusalStatus>> = {
  missing: 404,
  "not allowed": 403,
  "too many today": 429,
  "unknown role": 400,
  address: 400,
  name: 400,
  "no sso": 400,
  "sso domain": 400,
  "sso metadata": 400,
  confirmation: 400,
  "token name": 400,
  "token scopes": 400,
  "no such token": 404,
  "webhook events": 400,
  "no such webhook": 404,
  "passkey name": 400,
  passkey: 400,
  "no such passkey": 404,
  intent: 400,
  stripe: 502,
  unavailable: 503,
  "half deleted": 503,
};

export function statusOf(refused: Refused): RefusalStatus {
  return statuses[refused] ?? 409;
}

/** The message of a refusal. `values` are what the sentence has places for. */
export function sentenceOf(
  refused: Refused,
  { refused: sentences }: WorkspaceWords,
  values: Parameters<typeof fill>[1],
): string {
  return refused === "not allowed" ? roleChanged : fill(sentences[refused], values);
}

/** The database's answer to a change that it refused. */
export function refusal(answer: string): { refused: Refused } {
  return { refused: answer as Refused };
}

/** The refusal of a change that failed in the database: the role may no longer do it, or there was no answer. */
export function databaseFailed(error: PostgrestError): { refused: Refused } {
  if (isRoleRefusal(error)) return { refused: "not allowed" };
  log.error("A workspace could not be changed", describeError(error));
  return { refused: "unavailable" };
}
