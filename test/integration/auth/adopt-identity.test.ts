import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../support/database/open-database.ts";
import { sample, testInProof } from "../../support/run/variants.ts";

const [person, newcomer, flow, other] = [1, 2, 3, 4].map(
  (id) => `00000000-0000-4000-8000-00000000000${id}`,
);

let opened: Awaited<ReturnType<typeof openDatabase>>;

beforeAll(async () => {
  opened = await openDatabase();
});

afterAll(() => opened.close());

/** Somebody with an address, and whom a sign-in with Google has just made. */
beforeEach(async () => {
  await opened.database.exec(`
    truncate auth.users, public.workspaces cascade;
    insert into auth.users (id, email, email_confirmed_at, raw_app_meta_data) values
      ('${person}', 'ada@example.com', now(), '{"provider": "email", "kept": true}'),
      ('${newcomer}', 'ada@gmail.example', now(), '{"provider": "google"}');
    insert into auth.identities (id, provider, provider_id, user_id, created_at) values
      (gen_random_uuid(), 'email', 'a', '${person}', now() - interval '1 day'),
      (gen_random_uuid(), 'google', 'b', '${newcomer}', now());
    insert into auth.sessions (id, user_id, created_at) values
      ('${flow}', '${newcomer}', now()),
      ('${other}', '${person}', now());
  `);
});

async function adopt({
  from = newcomer,
  session = flow,
  provider = "google",
  begun = "now()",
} = {}) {
  const { rows } = await opened.database.query<{ outcome: string }>(
    `select public.adopt_identity($1, $2, $3, $4, ${begun}) as outcome`,
    [person, from, session, provider],
  );
  return rows[0]?.outcome;
}

async function identities() {
  const { rows } = await opened.database.query<{ provider: string; user_id: string }>(
    "select provider, user_id from auth.identities order by created_at",
  );
  return rows.map(({ provider, user_id }) => [provider, user_id]);
}

test("a new account's identity moves, and nothing is left of the account", async () => {
  expect(await adopt()).toBe("connected");
  expect(await identities()).toEqual([
    ["email", person],
    ["google", person],
  ]);
  const { rows } = await opened.database.query(
    "select id, raw_app_meta_data as meta from auth.users",
  );
  const meta = { provider: "email", providers: ["email", "google"], kept: true };
  expect(rows).toEqual([{ id: person, meta }]);
  expect(await adopt()).toBe("taken");
});

test.each(
  sample(
    [
      ["a password", `update auth.users set encrypted_password = 'x' where id = '${newcomer}'`],
      [
        "more than a day behind it",
        `update auth.users set created_at = now() - interval '25 hours' where id = '${newcomer}'`,
      ],
      [
        "a row of ours",
        `insert into public.deployments (user_id, name, options) values ('${newcomer}', 'x', '{}')`,
      ],
      [
        "a customer",
        `insert into public.customers (id, user_id, origin, email) values ('cus_1', '${newcomer}', 'account', 'x')`,
      ],
      [
        "a place in somebody else's workspace",
        `insert into public.members (workspace_id, user_id, role)
     values (public.personal_workspace('${person}'), '${newcomer}', 'viewer')`,
      ],
      [
        "somebody else in its personal workspace",
        `insert into public.members (workspace_id, user_id, role)
     values (public.personal_workspace('${newcomer}'), '${person}', 'viewer')`,
      ],
      [
        "what somebody else made in its personal workspace",
        `insert into public.deployments (user_id, workspace_id, name, options)
     values ('${person}', public.personal_workspace('${newcomer}'), 'x', '{}')`,
      ],
      [
        "a row that names its membership alone",
        `drop table if exists public.of_members;
     create table public.of_members (workspace_id uuid, user_id uuid,
       foreign key (workspace_id, user_id) references public.members (workspace_id, user_id));
     insert into public.of_members values (public.personal_workspace('${newcomer}'), '${newcomer}')`,
      ],
      [
        "a second identity",
        `insert into auth.identities (id, provider, provider_id, user_id) values (gen_random_uuid(), 'github', 'c', '${newcomer}')`,
      ],
      [
        "a second session",
        `insert into auth.sessions (id, user_id) values (gen_random_uuid(), '${newcomer}')`,
      ],
      [
        "a note of the operator's",
        `update auth.users set raw_app_meta_data = '{"provider": "google", "plan": "guest"}' where id = '${newcomer}'`,
      ],
      [
        "a ban",
        `update auth.users set banned_until = now() + interval '1 day' where id = '${newcomer}'`,
      ],
      [
        "a session from before the flow alone",
        `update auth.sessions set created_at = now() - interval '5 minutes' where id = '${flow}'`,
      ],
      [
        "a second factor",
        `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret) values (gen_random_uuid(), '${newcomer}', 'x', 'totp', 'verified', 'x')`,
      ],
    ],
    3,
  ),
)("an account with %s stays as it is", async (_, sql) => {
  await opened.database.exec(sql);
  const before = await identities();
  expect(await adopt()).toBe("taken");
  expect(await identities()).toEqual(before);
});

testInProof(
  "an empty account that an unfinished attempt left is taken over by the next one",
  async () => {
    await opened.database.exec(
      `update auth.users set created_at = now() - interval '3 hours' where id = '${newcomer}'`,
    );
    expect(await adopt()).toBe("connected");
    expect((await identities()).map(([, owner]) => owner)).toEqual([person, person]);
  },
);

testInProof(
  "an account whose personal workspace is empty is taken over, and its personal workspace is gone",
  async () => {
    await opened.database.exec(`
    select public.personal_workspace('${newcomer}'), public.personal_workspace('${person}')`);
    expect(await adopt()).toBe("connected");
    const { rows } = await opened.database.query("select personal_of from public.workspaces");
    expect(rows).toEqual([{ personal_of: person }]);
  },
);

test.each(
  sample(
    [
      ["none that there is", "00000000-0000-4000-8000-000000000009"],
      ["the one of the user who connects", other],
    ],
    1,
  ),
)("nothing moves for another session than the flow's own: %s", async (_, session) => {
  expect(await adopt({ session })).toBe("taken");
  expect((await identities()).map(([, owner]) => owner)).toEqual([person, newcomer]);
});

testInProof("nothing moves once the flow's session was closed", async () => {
  await opened.database.exec(`delete from auth.sessions where id = '${flow}'`);
  expect(await adopt()).toBe("taken");
});

test("nothing moves for another provider, for an old flow, or from oneself", async () => {
  expect(await adopt({ provider: "github" })).toBe("taken");
  expect(await adopt({ begun: "now() - interval '1 hour'" })).toBe("taken");
  expect(await adopt({ from: person })).toBe("taken");
  await opened.database.exec(
    `update auth.users set banned_until = now() + interval '1 day' where id = '${person}'`,
  );
  expect(await adopt()).toBe("taken");
});
