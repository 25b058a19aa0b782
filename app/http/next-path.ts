/**
 * Where to go afterwards, as a path on this site. Anything that a browser could read as another
 * origin (`//host`, `/\host`, control characters, a scheme) becomes `fallback`.
 */
export function nextPath(wanted: unknown, fallback: string): string {
  if (typeof wanted !== "string" || wanted.length > 512) return fallback;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted) || wanted.includes("\\")) return fallback;
  const here = "https://here.invalid";
  const url = URL.parse(wanted, here);
  if (url?.origin !== here || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}
