/** How long a `Retry-After` asks to wait, in seconds or until a time; undefined where it says neither. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
