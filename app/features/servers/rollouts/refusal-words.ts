import type { ApprovalRefusal, RolloutRefusal } from "./rollout-request";

/** Why a rollout cannot be asked for. */
export const rolloutRefusalWords: Readonly<Record<RolloutRefusal, string>> = {
  "no-server": "There is no such server.",
  cannot:
    "This server cannot take up versions by itself: its files are older than that, or of another deployment. Bring the version there once by hand: sudo livekit-deploy apply FILE.zip",
  "no-approvers":
    "This server does not know as many approvers as it asks for. On the server: sudo livekit-deploy approvers",
  "runs-it": "The server runs this version.",
  older:
    "The server runs a newer version than this one. It takes an older one only if that is ordered: “It may be older” on its page, or allow_lower in the API.",
  "under-way": "Another rollout of this server is approved already. It ends first, or is aborted.",
  "too-many":
    "This server was asked for 50 versions within 24 hours. What is open can be approved; ask for another one later.",
  "no-window": "A window is one to twelve hours long.",
  "no-windows":
    "The files on this server are older than windows. Ask for this version without one; from then on the server takes windows.",
  "no-files": "The choices of this version no longer make files. Save the deployment again.",
};

/** Why an approval does not count; {server} is the name of one. */
export const approvalRefusalWords: Readonly<Record<ApprovalRefusal, string>> = {
  "no-rollout": "There is no such rollout any more. Load the page again.",
  "not-open": "It waits for no approval any more. Load the page again.",
  "no-passkey":
    "This passkey is not among yours in this workspace. Add it on the page Approvers first.",
  twice: "You have approved it. Somebody else must approve it too.",
  "not-signed":
    "The approval is not right, so nothing was approved. Load the page again and try once more.",
  "unknown-there":
    "{server} is to take the version too and does not know this passkey. On that server: sudo livekit-deploy approvers",
};
