import type { Workspace } from "./own-workspaces.server";

/** What a page is told of its workspace. */
export type ShownWorkspace = ReturnType<typeof shownWorkspace>;

export function shownWorkspace(workspace: Workspace) {
  const { name, role, base, isPersonal, isShared, needsSecondFactor } = workspace;
  return { name, role, base, isPersonal, isShared, needsSecondFactor };
}
