let format: Intl.DateTimeFormat | undefined;

/** The day of an ISO time, the same on the server and in every browser. */
export function formatDay(time: string): string {
  // Made when it is needed: the first one of a Worker costs more than ten milliseconds.
  format ??= new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
  return format.format(new Date(time));
}
