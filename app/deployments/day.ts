const format = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** The day of an ISO time, the same on the server and in every browser. */
export function formatDay(time: string): string {
  return format.format(new Date(time));
}
