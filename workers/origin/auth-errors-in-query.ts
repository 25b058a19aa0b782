import { problemOfQuery } from "~/features/sign-in/mailed/way-back-problems.server";

/**
 * Whether the auth server has led here to say what went wrong. It knows no other page than SITE_URL
 * when it cannot tell who comes back from a provider, as after ten minutes there.
 */
export function tellsOfAuthError({ searchParams }: URL): boolean {
  return (
    searchParams.has("error") && /^[a-z0-9_]{1,64}$/.test(searchParams.get("error_code") ?? "")
  );
}

/** Leads to the page that says it in our words: the home page is the same for everybody. */
export function leadToSignIn(
  request: Request,
  isPublicPage: (path: string) => boolean,
): Response | undefined {
  const url = new URL(request.url);
  if (request.method !== "GET" || !isPublicPage(url.pathname) || !tellsOfAuthError(url)) return;
  const problem = problemOfQuery(url.searchParams) ?? "fault";
  // The fragment repeats the error; ours takes its place.
  const location = `/signin?${new URLSearchParams({ problem })}#auth-sign-in`;
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store" },
  });
}
