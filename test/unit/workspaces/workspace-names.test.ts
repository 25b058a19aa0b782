import { expect, test } from "vitest";
import { accountId } from "../../support/database/as-person.ts";
import { people, type Team } from "../../support/database/team.ts";
import { teamOfEachTest } from "../../support/database/team-of-each-test.ts";

const { query, team } = teamOfEachTest();
const { ada } = people;
const id = (n: number) => accountId(900 + n);
const call: Team["call"] = (...given) => team().call(...given);

test("the workspace is named with its first invitation, or not at all", async () => {
  const inviteNamed = (n: number, address: string, name: string) =>
    call("invite", ada, team().id, id(n), address, "viewer", 100, name);
  const name = async () =>
    (await query("select name from public.workspaces where id = $1", [team().id]))[0];
  expect(await inviteNamed(1, "ada@example.com", "Acme calls")).toBe("member");
  expect(await name()).toEqual({ name: "Team" });
  expect(await inviteNamed(1, "ben@example.com", " Acme calls ")).toBe("invited");
  expect(await name()).toEqual({ name: "Acme calls" });
});

test.each([
  ["a line break", "Acme\r\nBcc: eve@example.com"],
  ["a tab", "Acme\tcalls"],
  ["a line separator", "Acme\u2028calls"],
  ["a turn of direction", "Acme\u202ecalls"],
  ["nothing to see", "\u200b\u2060 \u3164"],
  ["nothing at all", "  "],
  ["81 characters", "a".repeat(81)],
])("no workspace has a name with %s", async (_, name) => {
  expect(await call("rename_workspace", ada, team().id, name)).toBe("name");
  expect(await call("create_workspace", ada, id(50), name)).toBe("name");
  expect(await call("invite", ada, team().id, id(1), "ben@example.com", "viewer", 100, name)).toBe(
    "name",
  );
});

test.each(["Équipe Zürich", "開発チーム", "👩‍👩‍👧 Family", "a", "a".repeat(80)])(
  "a workspace may be called %s",
  async (name) => {
    expect(await call("rename_workspace", ada, team().id, name)).toBe("renamed");
  },
);
