import { accountId, addAccount } from "./as-person.ts";
import type { Query } from "./many-rows.ts";

/** Who has an account in the tests of a team, by the beginning of their address. */
export const people = {
  ada: accountId(1),
  ben: accountId(2),
  cat: accountId(3),
  eve: accountId(4),
};

/**
 * A workspace that is nobody's personal one, with `people.ada` as its owner. The others have accounts with personal
 * workspaces of their own, and no part in it.
 */
export async function newTeam(query: Query) {
  await query("truncate auth.users, public.workspaces, public.invitation_counts cascade");
  for (const [name, person] of Object.entries(people)) {
    await addAccount(query, person, `${name}@example.com`);
    await query("select public.personal_workspace($1)", [person]);
  }
  const [made] = await query<{ id: string }>(
    "insert into public.workspaces (name) values ('Team') returning id",
  );
  const id = made?.id ?? "none";
  const join = (person: string, role: string) =>
    query("insert into public.members (workspace_id, user_id, role) values ($1, $2, $3)", [
      id,
      person,
      role,
    ]);
  await join(people.ada, "owner");
  return {
    people,
    id,
    join,
    /** What a function of the database answers, one of those that the Worker calls. */
    async call(name: string, ...parameters: unknown[]): Promise<unknown> {
      const places = parameters.map((_, index) => `$${index + 1}`);
      const [row] = await query<{ answer: unknown }>(
        `select public.${name}(${places}) as answer`,
        parameters,
      );
      return row?.answer;
    },
    leave: (person: string) =>
      query("delete from public.members where workspace_id = $1 and user_id = $2", [id, person]),
    /** The roles of those who are members, by name. */
    async roles(): Promise<Record<string, string>> {
      const rows = await query<{ name: string; role: string }>(
        `select split_part(u.email, '@', 1) as name, m.role from public.members m
         join auth.users u on u.id = m.user_id where m.workspace_id = $1 order by 1`,
        [id],
      );
      return Object.fromEntries(rows.map(({ name, role }) => [name, role]));
    },
    needSecondFactor: () =>
      query("update public.workspaces set needs_second_factor = true where id = $1", [id]),
    /** Sets up a second factor for somebody. */
    giveSecondFactor: (person: string) =>
      query(
        `insert into auth.mfa_factors (id, user_id, friendly_name, status, secret)
         values (gen_random_uuid(), $1, 'App', 'verified', 'x')`,
        [person],
      ),
  };
}

export type Team = Awaited<ReturnType<typeof newTeam>>;
