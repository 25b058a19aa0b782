import { problemOfQuery } from "~/features/account/sign-in/callback-problems.server";

/** Of routes that have words for such an error, or are asked by programs, which bring errors of their own. */
const readsErrorsItself = /^\/(signin|signup|auth|api|google-services\/.+)(\/|$)|\.\w+$/;

/**
 * Whether the auth server has redirected here to report an error. It redirects to SITE_URL when it does not know the
 * page that somebody came from, for example after ten minutes at a provider. What a provider refused has a
 * description in place of a code.
 */
export function hasAuthError({ searchParams }: URL): boolean {
  const code = searchParams.get("error_code");
  return (
    searchParams.has("error") &&
    (code === null ? searchParams.has("error_description") : /^[a-z0-9_]{1,64}$/.test(code))
  );
}

/** Redirects to the sign-in page, which shows the error in our words. Other pages have no place for it. */
export function leadToSignIn(request: Request): Response | undefined {
  const url = new URL(request.url);
  if (request.method !== "GET" || readsErrorsItself.test(url.pathname) || !hasAuthError(url))
    return;
  const problem = problemOfQuery(url.searchParams) ?? "fault";
  // The auth server's fragment repeats the error, and a browser would keep it if the redirect had none.
  const location = `/signin?${new URLSearchParams({ problem })}#auth-sign-in`;
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store" },
  });
}
