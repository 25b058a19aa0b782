/** What a channel is notified of, where that is not everything. The Worker of the release before notifies it of everything. */
export type ChannelLimits = {
  /** Of their servers alone, by their ids; an incident that it was notified of it sees to its end. */
  deployments?: readonly string[] | undefined;
  /** Of what wakes somebody alone: no daily digest. */
  onlyPages?: true | undefined;
};

type Limited = { limits?: ChannelLimits | undefined };

/** Whether a channel is notified of the servers of a deployment. */
export const covers = ({ limits }: Limited, deployment: string | undefined): boolean =>
  !limits?.deployments || (deployment !== undefined && limits.deployments.includes(deployment));

/** Whether two channels to one recipient would tell it the same. */
export function overlap(one: Limited, other: Limited): boolean {
  const [ones, others] = [one.limits?.deployments, other.limits?.deployments];
  return !ones || !others || ones.some((each) => others.includes(each));
}
