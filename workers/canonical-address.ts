/** Pages have one address: a slash at its end leads to the one without. */
export function canonicalAddress(request: Request): Response | undefined {
  if (request.method !== "GET") return;
  const { pathname, search } = new URL(request.url);
  if (!pathname.endsWith("/") || pathname === "/") return;
  // Leading slashes are folded too, or the answer would lead to another host.
  const location = pathname.replace(/^\/+/, "/").replace(/\/+$/, "") || "/";
  return new Response(null, { status: 308, headers: { location: location + search } });
}
