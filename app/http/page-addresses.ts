/** The path of the page that asks for the second factor and then leads to `next`. */
export function codePage(next: string): string {
  return `/dashboard/account/code?${new URLSearchParams({ next })}`;
}

/** The path of the sign-in page, which leads to `next` afterwards. `problem`: what it has a sentence for. */
export function signInPage(next: string, problem?: "no-cookies"): string {
  return `/signin?${new URLSearchParams({ next, ...(problem ? { problem } : {}) })}`;
}

/** The path of the page that asks before a sign-out ends a trial. `next`: where the sign-in after it leads. */
export function endTrialPage(next: string | null): string {
  return next === null ? "/signout/trial" : `/signout/trial?${new URLSearchParams({ next })}`;
}

/** The path of the page that asks for a work address, and leads to `next` after single sign-on. */
export function singleSignOnPage(next: string): string {
  return `/signin/sso?${new URLSearchParams({ next })}`;
}

/**
 * Whether a page was asked for right after a sign-in whose cookies the browser did not store: the form leads there with a
 * document, and the answer to it sets several.
 */
export function hasNoCookies({ url, headers }: Request): boolean {
  const from = URL.parse(headers.get("referer") ?? "");
  const { origin, pathname } = new URL(url);
  const isFromSignIn = from?.origin === origin && from.pathname === "/signin";
  return isFromSignIn && !headers.get("cookie") && !pathname.endsWith(".data");
}

/**
 * The path and query of the page that a request is for, which is also the page whose form was posted. It leaves
 * out what React Router adds for its data requests.
 */
export function pageOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  const path = pathname.replace(/\.data$/, "");
  for (const internal of ["index", "_routes"]) searchParams.delete(internal);
  return searchParams.size > 0 ? `${path}?${searchParams}` : path;
}

/**
 * Where to go afterwards, as a path on this site. Anything that a browser could read as another
 * origin (`//host`, `/\host`, control characters, a scheme) becomes `fallback`.
 */
export function nextPath(typed: unknown, fallback: string): string {
  if (typeof typed !== "string" || typed.length > 512) return fallback;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(typed) || typed.includes("\\")) return fallback;
  const here = "https://here.invalid";
  const url = URL.parse(typed, here);
  if (url?.origin !== here || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}
