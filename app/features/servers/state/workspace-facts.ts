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

/**
 * Somebody of the workspace, by the id of their account. `address`: the one that they confirmed, if they did. `connects`:
 * whether they may connect servers, which a site of before does not say.
 */
export type Member = { person: string; address: string | null; connects?: boolean | undefined };

/** How old a list of members may be, in milliseconds; what was made since then is left alone. */
export const listAgeMs = 600_000;
