/** What a change to a smaller plan means for the deployments of an account. */
export type DowngradeLosses = {
  /** The names of the deployments that can then be opened, downloaded and deleted, but not changed. */
  readOnly: string[];
  /** For each deployment, the choices that the smaller plan lacks. They stay in the deployment's files. */
  kept: { name: string; choices: string[] }[];
};

/** The connected servers where the smaller plan watches only one of them, which the team picks; the first is proposed. */
export type WatchLoss = readonly { id: string; name: string }[];
