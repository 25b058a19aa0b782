import { beforeEach, expect, test } from "vitest";
import { planQuotas } from "../../../app/content/plans.ts";
import { siteQuotas } from "../../../app/platform/database/quotas.ts";
import {
  changeOwn,
  firstChoices,
  newTokenOf,
  report,
  reportOf,
  saveVersions,
  userConfiguration,
} from "../../support/agents/agent.ts";
import { database, personalWorkspaceOf, userIdOf } from "../../support/database/database.ts";
import {
  fullOptions,
  storeDeployment,
  storedDeployment,
} from "../../support/deployments/deployments.ts";
import { customer, saveStep } from "../../support/deployments/wizard.ts";
import { sharedSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";

const email = "customer.one@example.com";
const today = () => new Date().toISOString().slice(0, 10);

beforeEach(resetFakes);

/** As if the account had recorded so many events today. */
async function countEvents(events: number) {
  const workspace_id = await personalWorkspaceOf(await userIdOf(email));
  await database
    .from("token_usage_counts")
    .upsert({ workspace_id, day: today(), events })
    .throwOnError();
}

async function storedEvents() {
  const { data } = await database.from("token_usage_events").select("event_id").throwOnError();
  return data.map(({ event_id }) => event_id);
}

const plans = [
  [
    undefined,
    planQuotas.none,
    "An account without a plan",
    "A larger plan has more: see /pricing.",
  ],
  ["basic", planQuotas.basic, "Basic", "A larger plan has more: see /pricing."],
  ["pro", planQuotas.pro, "Pro", "Write to us on /contact if you need more."],
] as const;

test.each(sample(plans, 1))(
  "with the plan %s a day has so many events, and the next call says so and what to do",
  async (plan, quota, who, more) => {
    const token = await newTokenOf(await customer(plan));
    await countEvents(quota.usageEventsADay - 1);
    const many = quota.usageEventsADay.toLocaleString("en-US");
    const refusal = {
      title: "Too Many Requests",
      status: 429,
      code: "daily_events",
      detail: `${who} records at most ${many} events on a day (UTC), and with this call they would be more. Nothing of it was recorded. Send fewer, or the same after midnight UTC. ${more}`,
    };
    const both = await report(token, [reportOf("event_1"), reportOf("event_2")]);
    expect(await both.json()).toEqual(refusal);
    expect(Number(both.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(both.headers.get("retry-after"))).toBeLessThanOrEqual(3_600);
    expect(await storedEvents()).toEqual([]);

    expect(await (await report(token, reportOf("event_1"))).json()).toMatchObject({ recorded: 1 });
    expect(await (await report(token, reportOf("event_2"))).json()).toEqual(refusal);
    // What was recorded is answered as a duplicate however full the day is.
    const again = await report(token, reportOf("event_1"));
    expect(await again.json()).toMatchObject({ recorded: 0, duplicates: 1 });
    expect(await storedEvents()).toEqual(["event_1"]);
  },
);

testInProof("another day has room again", async () => {
  const token = await newTokenOf(await customer());
  const workspace_id = await personalWorkspaceOf(await userIdOf(email));
  const events = planQuotas.none.usageEventsADay;
  await database
    .from("token_usage_counts")
    .insert({ workspace_id, day: "2026-10-01", events })
    .throwOnError();
  expect(await (await report(token, reportOf("event_1"))).json()).toMatchObject({ recorded: 1 });
  const { data } = await database.from("token_usage_counts").select("day, events").throwOnError();
  expect(data).toEqual([{ day: today(), events: 1 }]);
});

testInProof.each(plans)(
  "with the plan %s a day has so many identities, and the reports beyond that are named",
  async (plan, quota, who, more) => {
    const token = await newTokenOf(await customer(plan));
    const max = quota.usageIdentitiesADay;
    const identities = Array.from({ length: max - 1 }, (_, nth) =>
      reportOf(`event ${nth}`.replace(" ", "_"), `identity ${nth}`),
    );
    expect((await report(token, identities)).status).toBe(200);

    const further = [
      reportOf("known", "identity 0"),
      reportOf("last", "the last"),
      reportOf("beyond", "one too many"),
      reportOf("elsewhere", "one too many", "2026-10-06T12:00:00Z"),
      reportOf("again", "one too many"),
    ];
    const refused = await report(token, further);
    const detail = `2026-10-05 has its ${max} identities.`;
    expect(await refused.json()).toEqual({
      title: "Forbidden",
      status: 403,
      code: "daily_identities",
      detail: `${who} keeps at most ${max} identities of a day. Nothing was recorded: \`errors\` names the reports beyond that. Leave them out, or report them under an identity that they share. ${more}`,
      errors: [
        { pointer: "#/2/identity", detail },
        { pointer: "#/4/identity", detail },
      ],
    });
    expect(await storedEvents()).toHaveLength(max - 1);
    const rest = further.filter((_, place) => place !== 2 && place !== 4);
    expect(await (await report(token, rest)).json()).toMatchObject({ recorded: 3 });
    const alone = await report(token, reportOf("alone", "one too many"));
    expect(await alone.json()).toMatchObject({ errors: [{ pointer: "#/identity", detail }] });
  },
);

testInProof("a third call of one account at a time is sent away for a second", async () => {
  const site = await sharedSiteWithFaults();
  const token = await newTokenOf(await customer());
  site.supabaseProxy.behave(async ({ path }, forward) =>
    path.includes("report_token_usage")
      ? {
          status: 200,
          headers: { "content-type": "application/json" },
          body: '{"refused":"busy"}',
        }
      : forward(),
  );
  const response = await fetch(`${site.url}/api/token-usage`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(reportOf("event_1")),
  });
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await response.json()).toEqual({
    title: "Too Many Requests",
    status: 429,
    code: "busy",
    detail:
      "Two calls of this account are being recorded already. Nothing of this one was. Send the same again in a second.",
  });
  const [line] = await site.logged({ message: "A quota was reached" });
  expect(line).toEqual({
    level: "warn",
    message: "A quota was reached",
    quota: "busy",
    requestId: expect.any(String),
  });
});

test("an account has as many allowances as its plan holds, and may still change and remove them", async () => {
  const visitor = await customer();
  const workspace_id = await personalWorkspaceOf(await userIdOf(email));
  const allowances = Array.from({ length: planQuotas.none.tokenAllowances }, (_, nth) => ({
    workspace_id,
    identity: `identity ${nth}`,
    remaining: nth,
  }));
  await database.from("token_allowances").insert(allowances).throwOnError();
  const set = (identity: string, tokens: string) =>
    changeOwn(visitor, { intent: "set-allowance", identity, tokens });
  expect(await set("one too many", "5")).toEqual({
    ok: false,
    status: 409,
    message:
      "You have as many allowances as your plan holds: 20 without a plan, 200 with Basic, 1,000 with Pro. Take one away first, by leaving its tokens empty.",
  });
  expect(await set("identity 3", "9")).toMatchObject({ ok: true });
  expect(await set("identity 4", "")).toMatchObject({ ok: true });
  expect(await set("one too many", "5")).toMatchObject({ ok: true });
});

testInProof(
  "an identity is as long as it may be kept, in a report and with an allowance",
  async () => {
    const visitor = await customer();
    const token = await newTokenOf(visitor);
    for (const [identity, fits] of [
      ["x".repeat(64), true],
      ["語".repeat(21), true],
      ["x".repeat(65), false],
      ["語".repeat(22), false],
    ] as const) {
      const sent = await report(token, reportOf(identity.length.toString(), identity));
      expect([identity, sent.status]).toEqual([identity, fits ? 200 : 422]);
      const set = await changeOwn(visitor, { intent: "set-allowance", identity, tokens: "1" });
      expect([identity, set.ok]).toEqual([identity, fits]);
      if (!fits) expect(set.message).toContain("Name the identity in 1 to 64 letters.");
    }
  },
);

testInProof(
  "the newest versions of a configuration are kept, and what is removed cannot be restored",
  async () => {
    const visitor = await customer();
    const maxVersions = siteQuotas.configurationVersions;
    await saveVersions(await userIdOf(email), maxVersions);
    expect((await userConfiguration(visitor)).hasOlder).toBe(false);
    expect(await changeOwn(visitor, firstChoices({ version: String(maxVersions) }))).toMatchObject({
      ok: true,
    });
    expect(await changeOwn(visitor, { intent: "restore", version: "5" })).toMatchObject({
      ok: true,
    });
    const { versions, hasOlder, configuration } = await userConfiguration(visitor);
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: maxVersions }, (_, nth) => maxVersions + 2 - nth),
    );
    expect([hasOlder, configuration.model]).toEqual([false, "model-5"]);
    const { count } = await database
      .from("model_configuration_versions")
      .select("*", { count: "exact", head: true });
    expect(count).toBe(maxVersions);
    expect(await changeOwn(visitor, { intent: "restore", version: "2" })).toEqual({
      ok: false,
      status: 404,
      message: "There is no such version.",
    });
  },
);

testInProof(
  "the newest versions of a deployment are kept, and their page says how many",
  async () => {
    const visitor = await customer("pro");
    const id = await storeDeployment(email, fullOptions());
    const maxVersions = siteQuotas.deploymentVersions;
    const { options } = await storedDeployment(id);
    await database
      .from("deployment_versions")
      .insert(
        Array.from({ length: maxVersions - 1 }, (_, nth) => ({
          deployment_id: id,
          version: nth + 2,
          options,
        })),
      )
      .throwOnError();
    await database.from("deployments").update({ version: maxVersions }).eq("id", id).throwOnError();
    expect((await saveStep(visitor, id, "management", { updates: "monthly" })).status).toBe(303);
    const { data } = await database
      .from("deployment_versions")
      .select("version")
      .order("version")
      .throwOnError();
    expect(data.map(({ version }) => version)).toEqual(
      Array.from({ length: maxVersions }, (_, nth) => nth + 2),
    );
    const path = `/dashboard/deployments/${id}/versions`;
    const words = await textAt(visitor, path);
    expect(words).toContain("Each save makes a version; the newest 50 are kept.");
    expect(words).not.toContain("Older versions");
    expect((await visitor.request(`${path}?from=1&to=2`)).status).toBe(404);
  },
);

testInProof("Pro has twenty deployments, and the form and the server say what to do", async () => {
  const visitor = await customer("pro");
  const user_id = await userIdOf(email);
  const rows = Array.from({ length: planQuotas.pro.deployments }, (_, nth) => ({
    user_id,
    name: `Server ${nth}`,
    options: fullOptions(),
  }));
  await database.from("deployments").insert(rows).throwOnError();
  const full =
    "Pro has 20 deployments, and you have them all. Delete one first, or write to us on /contact.";
  expect(await textAt(visitor, "/dashboard/deployments/new")).toContain(full);
  expect(await textAt(visitor, "/dashboard/deployments")).toContain(full);
  const answer = await visitor.post("/dashboard/deployments/new", {
    name: "One too many",
    domain: "rtc.mycompany.com",
    email: "ops@mycompany.com",
  });
  expect(answer.status).toBe(403);
  expect(textOfHtml(await answer.text())).toContain(full);
});

testInProof(
  "choices that are far too long together are refused, and nothing is saved",
  async () => {
    const visitor = await customer("pro");
    const long = (nth: number) =>
      `${["a", "b", "c", "d"].map((letter) => letter.repeat(58) + nth).join(".")}.org`;
    const id = await storeDeployment(email, {
      ...fullOptions(),
      addresses: "dual",
      domain: long(10),
      extraDomains: [11, 12, 13, 14, 15].map(long),
      turn: { mode: "manual", domain: long(16), udp: true, tls: true },
      whipDomain: long(17),
      sshSource: Array.from(
        { length: 20 },
        (_, nth) => `2001:db8:${1000 + nth}:ffff:ffff:ffff:ffff:ffff/128`,
      ),
      firewall: {
        preset: "custom",
        rules: Array.from({ length: 20 }, (_, nth) => ({
          protocol: "tcp",
          ports: `1${1000 + nth}-60000`,
          source: `2001:db8:${1000 + nth}:ffff:ffff:ffff:ffff:ffff/128`,
        })),
      },
      alertUrl: `https://alerts.example.com/${"x".repeat(400)}`,
    });
    const answer = await saveStep(visitor, id, "management", { updates: "monthly" });
    expect(textOfHtml(await answer.text())).toContain(
      "These choices are more than 5 KiB of text together. Shorten lists or addresses, please.",
    );
    expect(answer.status).toBe(400);
    expect((await storedDeployment(id)).version).toBe(1);
  },
);
