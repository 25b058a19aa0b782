/** The page that asks for the second factor and then leads to `next`. */
export function codePage(next: string): string {
  return `/dashboard/account/code?${new URLSearchParams({ next })}`;
}

/** The page that signs in and then leads to `next`. */
export function signInPage(next: string): string {
  return `/signin?${new URLSearchParams({ next })}`;
}

/**
 * The address of the page that a request is for, which is also the page whose form was posted. What the
 * router adds for its own requests is left out.
 */
export function pageOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  const path = pathname.replace(/\.data$/, "");
  for (const internal of ["index", "_routes"]) searchParams.delete(internal);
  return searchParams.size > 0 ? `${path}?${searchParams}` : path;
}
