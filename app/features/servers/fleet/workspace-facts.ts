/**
 * What the servers Worker knows of a workspace, which the site tells it with each token and once an hour: the servers
 * Worker cannot read the database.
 */
export type WorkspaceFacts = {
  /** Of its address in the console. */
  slug: string;
  name: string;
  /** How many servers its plan has; none without a plan. */
  servers: number;
  /** When its plan ended, if none runs or is on hold. */
  endedAt?: number;
  /** Whether what its servers reported is to be deleted: ninety days after the plan's end and two mails. */
  isHistoryOver?: boolean;
};
