/** A moment as people write it, in the time zone of whoever looks. */
export function dayAndTime(at: number): string {
  return new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" }).format(at);
}
