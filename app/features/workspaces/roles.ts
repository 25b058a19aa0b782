import { createContext, useContext } from "react";
import { trialNeedsAccount } from "~/content/trial";
import { type Right, type Role, roleRights } from "~/platform/database/role-rights";

/** Whether a role may do something in a workspace. The database asks the same table at each change. */
export function roleMay(role: Role, right: Right): boolean {
  const roles: readonly Role[] = roleRights[right];
  return roles.includes(role);
}

/** The roles that somebody may give: owners are made by owners, and of members alone. */
export function rolesGivenBy(role: Role): Role[] {
  return roleRights.see.filter((each) => each !== "owner" || roleMay(role, "own"));
}

const groups: Record<Role, string> = {
  owner: "owners",
  admin: "admins",
  operator: "operators",
  viewer: "viewers",
  billing: "members for billing",
};

const list = new Intl.ListFormat("en-GB");

/** Which workspaces somebody has cannot be read, and so not what they may do there. */
export const roleUnreadable =
  "What you may do here cannot be read right now. Nothing was changed. Please try again in a moment.";

/** The guard allowed it, and the database a moment later no more. */
export const roleChanged =
  "Your role here has just changed, and no longer allows this. Load the page again.";

/** The message for a member whose role does not allow something: it names the roles that do. */
export function notAllowed(role: Role, right: Right): string {
  const who = list.format(roleRights[right].map((each) => groups[each]));
  return `Your role in this workspace is ${role}. This is for ${who}.`;
}

/** The same where the role does not allow it; undefined where it does. */
export function refusalFor(role: Role, right: Right): string | undefined {
  return roleMay(role, right) ? undefined : notAllowed(role, right);
}

/**
 * What somebody in a trial may do, whatever their role. The database's function may_now allows the same without
 * `download`, for which none of its functions asks: files are made of what one sees.
 */
const rightsInTrial: readonly Right[] = ["see", "describe", "download", "alerts"];

/** The same for everything that a role does not allow, or a trial. */
export function refusalsFor(role: Role, isTrial: boolean): Partial<Record<Right, string>> {
  const rights = Object.keys(roleRights) as Right[];
  return Object.fromEntries(
    rights.flatMap((right) => {
      if (isTrial && !rightsInTrial.includes(right)) return [[right, trialNeedsAccount]];
      return roleMay(role, right) ? [] : [[right, notAllowed(role, right)]];
    }),
  );
}

/** Why the person's role does not allow something in the workspace of the page, for all that it does not. */
export const RefusalsContext = createContext<Partial<Record<Right, string>>>({});

/** Whether the pages are those of a trial. */
export const InTrialContext = createContext(false);

/**
 * Whether to show a form or a link of the console: a member who may not use it reads why instead.
 * Nothing depends on it: the guard of actions and the database decide.
 */
export function useMay(right: Right): boolean {
  return useContext(RefusalsContext)[right] === undefined;
}
