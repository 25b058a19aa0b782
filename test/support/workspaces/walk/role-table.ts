import type { Right, Role } from "../../../../app/platform/database/role-rights.ts";

export const roles: readonly Role[] = ["owner", "admin", "operator", "viewer", "billing"];

const operators: readonly Role[] = ["owner", "admin", "operator"];
const admins: readonly Role[] = ["owner", "admin"];

/**
 * Who may do what in a workspace, as the walks expect it. It is written once more here, and not read from the database
 * or the Worker: a change of either makes a walk fail.
 */
const roleTable: Readonly<Record<Right, readonly Role[]>> = {
  see: roles,
  describe: operators,
  download: operators,
  rollout: operators,
  servers: operators,
  sessions: operators,
  alerts: operators,
  tokens: operators,
  billing: ["owner", "admin", "billing"],
  members: admins,
  settings: admins,
  audit: admins,
  own: ["owner"],
};

export const rightNames = Object.keys(roleTable) as Right[];

export const mayDo = (role: Role, right: Right): boolean => roleTable[right].includes(role);
