import { pagePathOf } from "../page-cache/page-key";

/**
 * The canonical spelling of a path. React Router shows the same page at `/PRICING`, `/%70ricing` and
 * `/pricing/.data`, but each would have its own entry in the page cache. Repeated slashes become one in every path,
 * because a redirect to `//host` would lead to another host.
 */
export function canonicalPath(pathname: string, isCacheable: (path: string) => boolean): string {
  const path = withoutNeedlessEscapes(pathname)
    .replace(/\/{2,}/g, "/")
    .replace(/^\/\.data$/, "/_.data")
    .replace(/(?<=.)\/(?:_?(\.data))?$/, "$1");
  // Other paths contain ids and names, in which case matters.
  const small = path.toLowerCase();
  return isCacheable(pagePathOf(small)) ? small : path;
}

/** Redirects to the canonical spelling of an address on this host, with its query. */
export function canonicalAddress(request: Request, path: string): Response | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") return;
  const { pathname, search } = new URL(request.url);
  if (path === pathname) return;
  return new Response(null, { status: 308, headers: { location: path + search } });
}

/** Letters, digits and `-._~` mean the same with and without an escape (RFC 3986, 2.3). */
function withoutNeedlessEscapes(pathname: string): string {
  return pathname.replace(/%([2-7][\da-f])/gi, (escaped, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(character) ? character : escaped;
  });
}
