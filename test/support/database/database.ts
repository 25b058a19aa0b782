import { createClient } from "@supabase/supabase-js";
import type { Database } from "../../../app/platform/database/types.ts";
import { variable } from "../site/variables.ts";

/** The database past row-level security, to see what was recorded. */
export const database = createClient<Database>(
  variable("SUPABASE_URL"),
  variable("SUPABASE_SECRET_KEY"),
  { auth: { persistSession: false } },
);

/** The id that the auth server gave to the user with this address. */
export async function userIdOf(email: string): Promise<string> {
  const { data, error } = await database.auth.admin.listUsers();
  const user = data.users.find((each) => each.email === email);
  if (!user) throw new Error(`Nobody signed in as ${email}: ${error?.message}`);
  return user.id;
}

/** The personal workspace of an account; makes one where it has none. */
export async function personalWorkspaceOf(person: string): Promise<string> {
  return (await database.rpc("personal_workspace", { person }).throwOnError()).data;
}

/** Somebody invites an address into their personal workspace. */
export async function inviteSomebody(person: string): Promise<void> {
  const { data } = await database
    .rpc("invite", {
      actor: person,
      workspace: await personalWorkspaceOf(person),
      new_id: crypto.randomUUID(),
      new_address: "guest@example.com",
      new_role: "viewer",
      allowed: 10,
    })
    .throwOnError();
  if (data !== "invited") throw new Error(`Nobody was invited: ${data}`);
}
