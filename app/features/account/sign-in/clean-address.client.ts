const problemFields = ["problem", "error", "error_code", "error_description", "sb"];

/**
 * Takes what went wrong out of the address once the page has said it: a reload or a bookmark would say it again. The page
 * stays where the router has it.
 */
export function cleanAddress(): void {
  const url = new URL(location.href);
  for (const field of problemFields) url.searchParams.delete(field);
  if (/^#error=/.test(url.hash)) url.hash = "";
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}
