import type { RolloutState } from "./rollout";

/** Each state of a rollout in words. */
export const stateWords: Readonly<Record<RolloutState, string>> = {
  requested: "Waits for approval",
  approved: "Approved, waits for the server",
  fetched: "Fetched, and each file is the one that was approved",
  checked: "Checked: everything fits",
  draining: "Waits for a quiet moment",
  applying: "Exchanges the files",
  applied: "Applied, the doctor looks",
  proved: "In use and proved",
  "rolled-back": "Did not work, went back",
  aborted: "Aborted",
  refused: "Refused by the server",
  expired: "Expired",
};

/** Each state as a step that is behind it: what it waits for then is no longer said. */
export const stepWords: Readonly<Record<RolloutState, string>> = {
  ...stateWords,
  approved: "Approved",
};
