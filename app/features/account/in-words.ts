/** A moment as the account page says it, in UTC. */
export function inWords(time: Date): string {
  return time.toLocaleString("en-US", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
}
