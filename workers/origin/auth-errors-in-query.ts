import { problemOfQuery } from "~/features/sign-in/mailed/callback-problems.server";

/**
 * Whether the auth server has redirected here to report an error. It redirects to SITE_URL when it does not know the
 * page that somebody came from, for example after ten minutes at a provider.
 */
export function hasAuthError({ searchParams }: URL): boolean {
  return (
    searchParams.has("error") && /^[a-z0-9_]{1,64}$/.test(searchParams.get("error_code") ?? "")
  );
}

/**
 * Redirects to the sign-in page, which shows the error in our words. The home page cannot: it is the same for
 * everybody.
 */
export function leadToSignIn(
  request: Request,
  isPublicPage: (path: string) => boolean,
): Response | undefined {
  const url = new URL(request.url);
  if (request.method !== "GET" || !isPublicPage(url.pathname) || !hasAuthError(url)) return;
  const problem = problemOfQuery(url.searchParams) ?? "fault";
  // The auth server's fragment repeats the error, and a browser would keep it if the redirect had none.
  const location = `/signin?${new URLSearchParams({ problem })}#auth-sign-in`;
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store" },
  });
}
