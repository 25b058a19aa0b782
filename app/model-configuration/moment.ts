const format = new Intl.DateTimeFormat("en-US", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/** An ISO time in words, the same everywhere. */
export function inWords(time: string): string {
  return `${format.format(new Date(time))} UTC`;
}
