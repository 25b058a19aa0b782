import { runSql } from "../site/control-fakes.ts";

export type StoredWorkspace = { id: string; slug: string };

const person = "(select id from auth.users where email = $1)";

/** The personal workspace of the user with this address. */
export async function personalWorkspace(email: string): Promise<StoredWorkspace> {
  const [found] = await runSql<StoredWorkspace>(
    `select id, slug from public.workspaces where personal_of = ${person}`,
    [email],
  );
  if (!found) throw new Error(`${email} has no personal workspace`);
  return found;
}

/** A further workspace, owned by the user with this address. */
export async function newWorkspace(email: string, slug: string): Promise<StoredWorkspace> {
  const [made] = await runSql<StoredWorkspace>(
    "insert into public.workspaces (slug, name) values ($1, $1) returning id, slug",
    [slug],
  );
  if (!made) throw new Error("No workspace was made");
  await addMember(made, email, "owner");
  return made;
}

export async function addMember({ id }: StoredWorkspace, email: string, role: string) {
  await runSql(
    `insert into public.members (user_id, workspace_id, role) values (${person}, $2, $3)`,
    [email, id, role],
  );
}

export async function removeMember({ id }: StoredWorkspace, email: string) {
  await runSql(`delete from public.members where user_id = ${person} and workspace_id = $2`, [
    email,
    id,
  ]);
}
