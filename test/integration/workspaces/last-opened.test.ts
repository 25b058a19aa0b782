import { beforeEach, expect, test } from "vitest";
import { prices } from "../../support/billing/stripe-account.ts";
import { userIdOf } from "../../support/database/database.ts";
import { fullOptions } from "../../support/deployments/deployments.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import type { Visitor } from "../../support/site/visitor.ts";
import {
  addMember,
  personalWorkspace,
  removeMember,
  type StoredWorkspace,
} from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const faultySite = siteWithFaults();

let member: Visitor;
let team: StoredWorkspace;
let personal: StoredWorkspace;

/** Ben has a plan and a deployment of his own, and is an operator in Ada's team, which has both, too. */
beforeEach(async () => {
  await resetFakes();
  await customer("pro", ada);
  team = await personalWorkspace(ada);
  member = await customer("pro", ben);
  personal = await personalWorkspace(ben);
  await addMember(team, ben, "operator");
  await runSql("update public.workspaces set name = 'Blue team' where id = $1", [team.id]);
  await store(ada, team, "Team server");
  await store(ben, personal, "Own server");
});

async function store(email: string, { id }: StoredWorkspace, name: string): Promise<void> {
  await runSql(
    `select public.create_deployment(
       (select id from auth.users where email = $1), $2, $3::jsonb, 100, null, $4)`,
    [email, name, JSON.stringify(fullOptions()), id],
  );
}

const schedules = async () =>
  Object.fromEntries(
    (
      await runSql<{ name: string; updates: string }>(
        "select name, options ->> 'updates' as updates from public.deployments order by name",
      )
    ).map(({ name, updates }) => [name, updates]),
  );

/** What the dialog of /services is answered. */
async function answer(updateSchedule: string): Promise<[status: number, text: string]> {
  const response = await member.twin().post("/services", { updateSchedule });
  return [response.status, await response.text()];
}

testInProof("answers on /services go to the workspace that was open last, and say so", async () => {
  const { updates } = fullOptions();
  await member.request(`/dashboard/w/${team.slug}`);
  const [status, text] = await answer("Weekly");
  expect(status).toBe(200);
  expect(text).toContain("Blue team");
  expect(text).toContain(`/dashboard/w/${team.slug}`);
  expect(await schedules()).toEqual({ "Own server": updates, "Team server": "weekly" });
  await member.request("/dashboard");
  const [again, personal] = await answer("Monthly");
  expect([again, personal.includes("Blue team")]).toEqual([200, false]);
  expect(await schedules()).toEqual({ "Own server": "monthly", "Team server": "weekly" });
});

testInProof(
  "a member whose role there changes no deployment reads who may, and nothing else changes instead",
  async () => {
    await removeMember(team, ben);
    await addMember(team, ben, "viewer");
    await member.request(`/dashboard/w/${team.slug}`);
    const before = await schedules();
    const [status, text] = await answer("Weekly");
    expect(status).toBe(403);
    expect(text).toContain(
      "Your role in this workspace is viewer. This is for owners, admins and operators.",
    );
    expect(await schedules()).toEqual(before);
  },
);

testInProof(
  "a user whose only workspace is one where they may not buy reads who may, wherever plans are sold",
  async () => {
    await removeMember(team, ben);
    await addMember(team, ben, "operator");
    await runSql("delete from public.workspaces where id = $1", [personal.id]);
    const order = await member.request("/api/create-checkout-session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ priceId: prices.monthly, userId: await userIdOf(ben) }),
    });
    const answers = [
      await member.post("/pricing", { plan: "basic" }),
      await member.post("/signup", { option: "monthly" }),
      order,
    ];
    for (const answer of answers) {
      expect.soft(answer.status, answer.url).toBe(403);
      const namesRoles = (await answer.text()).includes(
        "Your role in this workspace is operator. This is for owners, admins and members for billing.",
      );
      expect.soft([answer.url, namesRoles]).toEqual([answer.url, true]);
    }
  },
);

testInProof(
  "one that is closed without a second factor is passed over, and so is one that somebody left",
  async () => {
    await member.request(`/dashboard/w/${team.slug}`);
    await runSql("update public.workspaces set needs_second_factor = true where id = $1", [
      team.id,
    ]);
    expect((await answer("Weekly"))[0]).toBe(200);
    expect((await schedules())["Own server"]).toBe("weekly");
    await removeMember(team, ben);
    expect((await answer("Monthly"))[0]).toBe(200);
    expect((await schedules())["Own server"]).toBe("monthly");
  },
);

test("a member who is demoted after the guard and before the database is refused, and nothing is written", async () => {
  const site = faultySite();
  const there = member.twin(site.url);
  const base = `/dashboard/w/${team.slug}`;
  const cases: [rpc: string, path: string, fields: Record<string, string>][] = [
    [
      "create_deployment",
      `${base}/deployments/new`,
      { name: "Late", domain: "late.example.com", email: ben },
    ],
    [
      "save_model_configuration",
      `${base}/models`,
      {
        intent: "save",
        version: "0",
        model: "gpt-realtime",
        instructions: "Say hello.",
        voice: "nova",
        "inputAudioTranscription.model": "whisper-2",
      },
    ],
    ["create_api_token", `${base}/models`, { intent: "create-token", name: "Late" }],
    [
      "set_usage_allowance",
      `${base}/usage`,
      { intent: "set-allowance", identity: "late", tokens: "1" },
    ],
  ];
  for (const [rpc, path, fields] of cases) {
    await removeMember(team, ben);
    await addMember(team, ben, "operator");
    let reached = false;
    site.supabaseProxy.behave(async ({ path: requestPath }, forward) => {
      if (requestPath.startsWith(`/rest/v1/rpc/${rpc}`)) {
        reached = true;
        await removeMember(team, ben);
        await addMember(team, ben, "viewer");
      }
      return forward();
    });
    const response = await there.post(path, fields);
    const text = await response.text();
    expect.soft([rpc, reached, response.status], text.slice(0, 200)).toEqual([rpc, true, 403]);
    expect.soft([rpc, text.includes("Your role here has just changed")]).toEqual([rpc, true]);
  }
  expect(await schedules()).not.toHaveProperty("Late");
  for (const table of ["api_tokens", "model_configuration_versions", "token_allowances"]) {
    expect.soft(await runSql(`select * from public.${table}`), table).toEqual([]);
  }
});
