import type { RouterContextProvider } from "react-router";
import { ownWorkspaces, type Workspace } from "./own-workspaces.server";

/**
 * The workspace that `workspace` in the query names by its slug, for an address outside the console; without it the one
 * at /dashboard. Null while the database does not answer; undefined where the person is no member.
 */
export async function namedWorkspace(
  { url }: Request,
  context: Readonly<RouterContextProvider>,
): Promise<Workspace | null | undefined> {
  const slug = new URL(url).searchParams.get("workspace");
  const all = await ownWorkspaces(context);
  if (!all) return null;
  return slug === null ? all[0] : all.find((each) => each.slug === slug);
}

export const noSuchWorkspace = "There is no such workspace.";
