/** A time in milliseconds since 1970 in ISO 8601; of no time none. */
export function isoOf(time: number): string;
export function isoOf(time: number | undefined): string | undefined;
export function isoOf(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
