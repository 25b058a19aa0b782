let format: Intl.DateTimeFormat | undefined;

/** An ISO time in words, the same everywhere. */
export function inWords(time: string): string {
  // Made when it is needed: the first one of a Worker costs more than ten milliseconds.
  format ??= new Intl.DateTimeFormat("en-US", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${format.format(new Date(time))} UTC`;
}
