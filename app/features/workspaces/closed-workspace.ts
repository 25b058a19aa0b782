import type { Workspace } from "./own-workspaces.server";

/** Said to whoever posts something in a workspace that is closed to them. */
export const workspaceClosed =
  "This workspace asks its members for a second factor. Set one up on your account page, then try again.";

/** Where somebody reads why a workspace is closed to them. From there they come back to `next`. */
export function closedPage({ base }: Pick<Workspace, "base">, next: string): string {
  return `${base}/second-factor?${new URLSearchParams({ next })}`;
}
