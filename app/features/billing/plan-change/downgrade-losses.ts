/** What of an account's deployments a plan no longer changes, and what stays in them all the same. */
export type DowngradeLosses = {
  /** Names of the deployments that can then be opened, downloaded and deleted, but not changed. */
  readOnly: string[];
  /** Choices that the plan lacks and that stay in the files of a deployment. */
  kept: { name: string; choices: string[] }[];
};
