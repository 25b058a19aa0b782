import type { RolloutRefusal } from "./rollouts.server";

/** Why a rollout cannot be asked for. */
export const rolloutRefusalWords: Readonly<Record<RolloutRefusal, string>> = {
  "no-server": "There is no such server.",
  cannot:
    "This server cannot take up versions by itself: its files are older than that, or of another deployment. Bring the version there once by hand: sudo livekit-deploy apply FILE.zip",
  "no-approvers":
    "This server does not know as many approvers as it asks for. On the server: sudo livekit-deploy approvers",
  "runs-it": "The server runs this version.",
  older: "The server runs a newer version than this one. Order the older one if you mean it.",
  "under-way": "Another rollout of this server is approved already. It ends first, or is aborted.",
  "no-files": "The choices of this version no longer make files. Save the deployment again.",
};
