import { beforeEach, expect, test } from "vitest";
import type { UserOutcome, UserView } from "../../../app/features/agents/configuration/own-view.ts";
import {
  newTokenOf,
  readConfiguration,
  report,
  reportOf,
  statisticsOf,
  usagePath,
  userConfiguration,
} from "../../support/agents/agent.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { textAt } from "../../support/site/page-text.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import {
  addMember,
  newWorkspace,
  removeMember,
  type StoredWorkspace,
} from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const [viewPath, usage] = ["/openai-config/own", usagePath];
const inTeam = (path: string) => `${path}${path.includes("?") ? "&" : "?"}workspace=team`;

let visitor: Visitor;
let team: StoredWorkspace;

beforeEach(async () => {
  await resetFakes();
  visitor = await customer(undefined, ada);
  team = await newWorkspace(ada, "team");
});

const save = (model: string, version = 0) => ({
  intent: "save",
  model,
  instructions: "",
  voice: "nova",
  "inputAudioTranscription.model": "whisper",
  version: String(version),
});

async function change(
  who: Visitor,
  path: string,
  fields: Record<string, string>,
): Promise<UserOutcome> {
  return (await (await who.post(path, fields)).json()) as UserOutcome;
}

const viewOf = async (who: Visitor, path: string) =>
  (await (await who.request(path)).json()) as UserView;

async function teamToken(): Promise<string> {
  const made = await change(visitor, inTeam(viewPath), { intent: "create-token", name: "Team's" });
  return made.ok ? (made.token ?? "") : made.message;
}

test("a workspace's configuration, tokens and usage are its own, and the personal ones stay apart", async () => {
  expect(await change(visitor, inTeam(viewPath), save("team-model"))).toMatchObject({ version: 1 });
  const token = await teamToken();
  expect(await userConfiguration(visitor)).toMatchObject({ version: 0, versions: [], tokens: [] });
  expect(await viewOf(visitor, inTeam(viewPath))).toMatchObject({
    version: 1,
    configuration: { model: "team-model" },
    tokens: [{ name: "Team's" }],
  });
  const personal = await newTokenOf(visitor);
  expect(await (await readConfiguration(token)).text()).toContain("team-model");
  expect(await (await readConfiguration(personal)).text()).not.toContain("team-model");

  await change(visitor, inTeam(viewPath), {
    intent: "set-allowance",
    identity: "ada",
    tokens: "900",
  });
  await report(token, reportOf("event", "ada"));
  const nothing = { total: { responses: 0 }, identities: [] };
  expect(await statisticsOf(visitor)).toMatchObject(nothing);
  expect(await (await visitor.request(inTeam(usage))).json()).toMatchObject({
    total: { responses: 1 },
    identities: [{ identity: "ada", remaining: 740 }],
  });
  const csv = async (path: string) =>
    (await (await visitor.request(`${path}&format=csv`)).text()).split("\r\n").length;
  expect([await csv(usage), await csv(inTeam(usage))]).toEqual([2, 3]);
});

testInProof(
  "the console's pages of a workspace show and change what is its own, without script too",
  async () => {
    await visitor.post("/dashboard/w/team/models", save("team-model"));
    expect(await viewOf(visitor, inTeam(viewPath))).toMatchObject({ version: 1 });
    expect(await userConfiguration(visitor)).toMatchObject({ version: 0 });
    expect(await textAt(visitor, "/dashboard/w/team/models")).toContain("Version 1");
    expect(await textAt(visitor, "/dashboard/models")).not.toContain("Version 1");
    await report(await teamToken(), reportOf("event", "ada"));
    const range = "?from=2026-10-01&to=2026-10-31";
    const page = await (await visitor.request(`/dashboard/w/team/usage${range}`)).text();
    expect(page).toContain("1 response");
    expect(page).toMatch(/href="\/openai-config\/usage\?[^"]*format=csv&amp;workspace=team"/);
    expect(await textAt(visitor, `/dashboard/usage${range}`)).toContain("No usage");
  },
);

testInProof("older versions are those of the workspace", async () => {
  for (const version of [0, 1, 2])
    await change(visitor, inTeam(viewPath), save(`m${version}`, version));
  await change(visitor, viewPath, save("personal"));
  const older = await viewOf(visitor, inTeam(`${viewPath}?before=3`));
  expect(older.versions.map(({ configuration }) => configuration.model)).toEqual(["m1", "m0"]);
});

testInProof(
  "a user who is no member is answered that there is no such workspace, and changes nothing",
  async () => {
    await change(visitor, inTeam(viewPath), save("team-model"));
    const stranger = await signedIn(ben);
    for (const path of [viewPath, usage, `${usage}&format=csv`]) {
      const response = await stranger.request(inTeam(path));
      expect([response.status, await response.json()], path).toEqual([
        404,
        { status: 404, error: "There is no such workspace." },
      ]);
    }
    expect(await change(stranger, inTeam(viewPath), save("theirs", 1))).toEqual({
      ok: false,
      status: 404,
      message: "There is no such workspace.",
    });
    expect((await stranger.post("/dashboard/w/team/models", save("theirs", 1))).status).toBe(404);
    expect(await viewOf(visitor, inTeam(viewPath))).toMatchObject({
      version: 1,
      configuration: { model: "team-model" },
    });
  },
);

testInProof(
  "a viewer reads what is the workspace's, and is answered that their role changes nothing",
  async () => {
    await change(visitor, inTeam(viewPath), save("team-model"));
    const token = await teamToken();
    await report(token, reportOf("event", "ada"));
    const viewer = await signedIn(ben);
    await addMember(team, ben, "viewer");
    expect(await viewOf(viewer, inTeam(viewPath))).toMatchObject({
      version: 1,
      tokens: [{ name: "Team's" }],
    });
    expect(await (await viewer.request(inTeam(usage))).json()).toMatchObject({
      total: { responses: 1 },
    });
    const attempts: Record<string, string>[] = [
      save("theirs", 1),
      { intent: "restore", version: "1" },
      { intent: "create-token", name: "Theirs" },
      { intent: "set-allowance", identity: "ada", tokens: "1" },
    ];
    for (const fields of attempts) {
      expect(await change(viewer, inTeam(viewPath), fields), fields.intent).toEqual({
        ok: false,
        status: 403,
        message:
          "Your role in this workspace is viewer. This is for owners, admins and operators. Nothing was changed.",
      });
    }
    // The personal workspace of a viewer is their own all the same.
    expect(await change(viewer, viewPath, save("own"))).toMatchObject({ ok: true, version: 1 });
    expect(await runSql("select identity from public.token_allowances")).toEqual([]);
    expect(await viewOf(visitor, inTeam(viewPath))).toMatchObject({
      version: 1,
      tokens: { length: 1 },
    });
  },
);

testInProof(
  "an agent's token works whatever its person's role becomes, and ends with their membership",
  async () => {
    const member = await signedIn(ben);
    await addMember(team, ben, "operator");
    const made = await change(member, inTeam(viewPath), { intent: "create-token", name: "Ben's" });
    const token = made.ok ? (made.token ?? "") : made.message;
    const statuses = async (event: string) => [
      (await readConfiguration(token)).status,
      (await report(token, reportOf(event, "ada"))).status,
    ];
    for (const role of ["operator", "admin", "viewer", "billing"]) {
      await runSql(
        "update public.members set role = $1 where workspace_id = $2 and role <> 'owner'",
        [role, team.id],
      );
      expect(await statuses(role), role).toEqual([200, 200]);
    }
    await removeMember(team, ben);
    expect(await statuses("after")).toEqual([401, 401]);
  },
);
