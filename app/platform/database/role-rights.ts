// Written by `npm run database:types` from supabase/migrations. Do not edit.
/** Which roles may do what in a workspace: role_rights() of the database, which asks it at each change. */
export const roleRights = {
  see: ["owner", "admin", "operator", "viewer", "billing"],
  describe: ["owner", "admin", "operator"],
  download: ["owner", "admin", "operator"],
  rollout: ["owner", "admin", "operator"],
  servers: ["owner", "admin", "operator"],
  sessions: ["owner", "admin", "operator"],
  alerts: ["owner", "admin", "operator"],
  tokens: ["owner", "admin", "operator"],
  billing: ["owner", "admin", "billing"],
  members: ["owner", "admin"],
  settings: ["owner", "admin"],
  audit: ["owner", "admin"],
  own: ["owner"],
} as const;

export type Right = keyof typeof roleRights;
export type Role = (typeof roleRights)["see"][number];
