import { useSearchParams } from "react-router";
import { nextPath } from "~/http/page-addresses";

/** Where somebody who was asked to set up a second factor wants to go on; undefined where nobody asked. */
export function useReturn(): string | undefined {
  const [search] = useSearchParams();
  return nextPath(search.get("next"), "") || undefined;
}

/** The address of a section of the account page, from which they can still go on there. */
export function accountSection(section: string, next: string | undefined): string {
  const query = next ? `?${new URLSearchParams({ next })}` : "";
  return `/dashboard/account${query}#${section}`;
}
