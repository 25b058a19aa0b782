export type Freshness = {
  /** Seconds for which a stored page is served as it is. */
  fresh: number;
  /** Seconds after that in which it is still served, while a new one is rendered. */
  stale: number;
};

/** What a `Cache-Control` header allows a shared cache (RFC 9111, RFC 5861); undefined: nothing. */
export function parseCacheControl(value: string | null): Freshness | undefined {
  if (!value) return;
  const directives = new Map(
    value.split(",").map((part) => {
      const [name = "", argument = ""] = part.trim().toLowerCase().split("=");
      return [name, argument] as const;
    }),
  );
  if (!directives.has("public") || directives.has("no-store") || directives.has("private")) return;
  const seconds = (name: string) => Number.parseInt(directives.get(name) ?? "", 10) || 0;
  const fresh = seconds("s-maxage");
  return fresh > 0 ? { fresh, stale: seconds("stale-while-revalidate") } : undefined;
}
