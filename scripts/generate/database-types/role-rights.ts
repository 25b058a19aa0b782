import type { Database } from "../../../fakes/supabase/database/database.ts";

/** Writes what each role may do, as the database's function role_rights() has it, for the Worker and its pages. */
export async function renderRoleRights(database: Database): Promise<string> {
  const { rows } = await database.query<{ action: string; roles: string[] }>(`
    select action, array_agg(role order by position) as roles
    from public.role_rights() with ordinality as r (action, role, position)
    group by action order by min(position)`);
  const lines = rows.map(({ action, roles }) => `  ${action}: ${JSON.stringify(roles)},`);
  return `// Written by \`npm run database:types\` from supabase/migrations. Do not edit.
/** Which roles may do what in a workspace: role_rights() of the database, which asks it at each change. */
export const roleRights = {
${lines.join("\n").replaceAll('","', '", "')}
} as const;

export type Right = keyof typeof roleRights;
export type Role = (typeof roleRights)["see"][number];
`;
}
