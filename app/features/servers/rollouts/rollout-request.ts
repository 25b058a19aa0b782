import type { FileInputs } from "~/features/servers/state/file-inputs";
import { hoursWords } from "../hours";
import type { UpdateWindow } from "./update-window";

/** What the site asks for. `inputs`: what the files of the version are made of. */
export type RolloutRequest = {
  servers: readonly string[];
  /** Then the other servers of the deployment that report and can take it up. */
  withOthers?: boolean;
  deployment: string;
  version: number;
  isLower: boolean;
  /** Without one servers begin it once it is approved. */
  window?: UpdateWindow | undefined;
  /** Whether the next form of the deployment begins with this window. */
  savesWindow?: true;
  inputs: FileInputs;
  by: string;
};

/** Why there is none. */
export type RolloutRefusal =
  | "no-server"
  /** Its files are older than rollouts, or not of this deployment. */
  | "cannot"
  | "no-approvers"
  /** It runs this version. */
  | "runs-it"
  /** An older version, which was not ordered. */
  | "older"
  | "under-way"
  /** Of this server, within a day. */
  | "too-many"
  /** No window, or too long a one. */
  | "no-window"
  /** Its files are older than windows. */
  | "no-windows"
  | "no-files";

export type ApprovalRefusal =
  | "no-rollout"
  | "not-open"
  | "no-passkey"
  /** This person has approved it. */
  | "twice"
  | "not-signed"
  /** A server that is to take the version does not know the passkey. */
  | "unknown-there";

/** Why an approval does not count; `server`: the name of the one that does not know the passkey. */
export type RefusedApproval = { refused: ApprovalRefusal; server?: string };

/** What the audit log has of a request. */
export const requestedChange = ({
  version,
  isLower,
  window,
}: Pick<RolloutRequest, "version" | "isLower" | "window">) => ({
  ...{ version, ...(isLower ? { lower: "allowed" } : {}) },
  ...(window ? { window: hoursWords(window) } : {}),
});
