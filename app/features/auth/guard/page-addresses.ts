/** The path of the page that asks for the second factor and then leads to `next`. */
export function codePage(next: string): string {
  return `/dashboard/account/code?${new URLSearchParams({ next })}`;
}

/** The path of the sign-in page, which leads to `next` afterwards. */
export function signInPage(next: string): string {
  return `/signin?${new URLSearchParams({ next })}`;
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
