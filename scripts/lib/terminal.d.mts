/** Says what is being done and how long it took, in one line; a spinner turns only on a terminal. */
export function step<T>(
  label: string,
  work: () => Promise<T>,
  output?: NodeJS.WriteStream,
): Promise<T>;

/** A failure that a person can act on: shown as its message, without a stack. */
export class PlainFailure extends Error {}
