import { afterAll, beforeAll, expect, test } from "vitest";
import { needsAccount, trialConnections, trialDownload } from "../../../app/content/trial.ts";
import { type ActionRule, actionRules } from "../../../app/routes/action-rules.server.ts";
import { pageFields } from "../../../scripts/lib/page-forms.ts";
import { startSiteWithoutRateLimits } from "../../support/attacks/site-without-rate-limits.ts";
import { askDatabase, tableNames } from "../../support/attacks/stored-rows.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { changedTables, contentsOf } from "../../support/database/changed-tables.ts";
import { startReceiver } from "../../support/faults/http-receiver.ts";
import { sample } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { siteRoutes } from "../../support/site/site-routes.ts";
import type { Visitor } from "../../support/site/visitor.ts";
import { inTrial, trialOf } from "../../support/trial/begin-trial.ts";

let site: Awaited<ReturnType<typeof startSiteWithoutRateLimits>>;
/** Stands where each service is that the site or the fleet could ask or write to. */
let outside: Awaited<ReturnType<typeof startReceiver>>;
let visitor: Visitor;
let ids: { deployment: string; server: string; person: string };

beforeAll(async () => {
  await resetFakes();
  outside = await startReceiver(500);
  const { url } = outside;
  site = await startSiteWithoutRateLimits({
    ...{ RESEND_API_URL: url, PAGERDUTY_API_URL: url, GOOGLE_API_URL: url, STRIPE_API_URL: url },
    ...{ DNS_API_URL: `${url}/dns`, SERVER_PROBE_URL: `${url}/servers`, TURNSTILE_API_URL: url },
  });
  visitor = await inTrial(site.url);
  const { workspace, person } = await trialOf();
  const [first] = (await (await site.fleets()).overview(workspace)).servers;
  ids = { deployment: first?.deployment ?? "", server: first?.id ?? "", person };
});
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await outside?.[Symbol.asyncDispose]();
  await resetFakes();
});

type Named = { name: string; pattern: string; intent?: string; rule: ActionRule };

/** Every rule of every action, each by its route and its form. */
const rules: Named[] = Object.entries(actionRules).flatMap(([pattern, rule]): Named[] =>
  "who" in rule
    ? [{ name: pattern, pattern, rule }]
    : [
        ...Object.entries(rule.intents).map(([intent, one]) => ({
          ...{ name: `${pattern} ${intent}`, pattern, intent, rule: one },
        })),
        { name: `${pattern} (unlisted)`, pattern, intent: "unheard-of", rule: rule.unlisted },
      ],
);

/** The forms whose rule is found by more than their intent. */
const fieldsOfIntent: Readonly<Record<string, Record<string, string>>> = {
  "invite-admin": { intent: "invite", role: "admin" },
  "make-owner": { intent: "role", role: "owner" },
  others: { scope: "others" },
  global: { scope: "global" },
};

const pages = new Set(
  siteRoutes()
    .filter(({ file }) => file.endsWith(".tsx"))
    .map(({ path }) => path),
);

/** Posts a form as the page's script does. */
async function post({ pattern, intent }: Named): Promise<string> {
  const id = pattern.startsWith("/dashboard/servers/") ? ids.server : ids.deployment;
  const path = pattern.replace(":id", id).replace(":tool", "gmail").replace(":tab", "messages");
  const data = pages.has(pattern) ? ".data" : "";
  const fields = intent === undefined ? {} : (fieldsOfIntent[intent] ?? { intent });
  const isApi = pattern.startsWith("/api/");
  const response = await visitor
    .twin(site.url)
    .request(path + data + (pattern === "/dashboard" ? "?index" : ""), {
      method: "POST",
      ...(isApi && { headers: { "content-type": "application/json" } }),
      body: isApi
        ? JSON.stringify({ priceId: "price_of_nobody", userId: ids.person })
        : new URLSearchParams(fields),
    });
  return `${response.status}: ${response.headers.get("location")} ${await response.text()}`;
}

const identified = rules.filter(({ rule }) => rule.who !== "anyone" && rule.who !== "program");
/** Refused without the sentence: the page that the form is on is not for them, or leads elsewhere. */
const otherwise: Readonly<Record<string, RegExp>> = {
  "/pricing": /^202: null.*\/signin\?next=/,
  "/signin update_password": /^403: /,
  "/signout others": /not-signed-out/,
  "/signout global": /not-signed-out/,
  "/dashboard/second-factor": /^(202|303): /,
  "/dashboard/account/code": /^(202|302|403): /,
};

const contents = () => contentsOf(runSql, tableNames());

test("whatever a trial may not do is refused with one sentence, and changes and sends nothing", async () => {
  const denied = identified.filter(({ rule }) => !rule.inTrial);
  expect(denied.length).toBeGreaterThan(60);
  const before = await contents();
  for (const each of sample(denied, 20)) {
    const answer = await post(each);
    const isRefused =
      otherwise[each.name]?.test(answer) ??
      (answer.startsWith("403: ") && answer.includes(needsAccount));
    expect.soft(isRefused, `${each.name}: ${answer.slice(0, 120)}`).toBe(true);
  }
  expect(changedTables(before, await contents())).toEqual([]);
  expect(outside.requests).toEqual([]);
});

const mine = { name: "Mine", domain: "live.mycompany.com", email: "me@mycompany.com" };

test("what a trial may do asks nobody outside, and no machine or agent comes in by it", async () => {
  const made = await visitor.post("/dashboard/deployments/new", mine);
  const [, path = ""] =
    /^(\/dashboard\/deployments\/[0-9a-f-]{36})\/edit/.exec(made.headers.get("location") ?? "") ??
    [];
  const edit = `${path}/edit?step=domain`;
  const { values } = pageFields(await (await visitor.request(edit)).text());
  const saved = await visitor.post(edit, { ...values, domain: "www.elsewhere.example.net" });
  expect(saved.status).toBe(303);
  const unsaved = await visitor.post(`${path}/unsaved?step=domain`, {
    ...{ ...values, domain: "mail.elsewhere.example.net" },
  });
  expect(unsaved.status).toBeLessThan(300);
  for (const page of ["", "/versions", "/connect", "/call", "/files/livekit.yaml"]) {
    expect((await visitor.request(path + page)).status, page).toBe(200);
  }
  const archive = await visitor.request(`${path}/bundle.zip?version=1`);
  expect([archive.status, await archive.text()]).toEqual([403, `${needsAccount}\n`]);
  const described = await (await visitor.request(path)).text();
  expect(described).toContain(trialDownload);
  expect(described).not.toContain("/bundle.zip");
  const { workspace } = await trialOf();
  await site.moveFleetClock(workspace, 3 * 60 * 60_000);
  const fleets = await site.fleets();
  const overview = await fleets.overview(workspace);
  expect({ tokens: overview.tokens, channels: overview.channels }).toEqual({
    tokens: [],
    channels: [],
  });
  expect(overview.servers.map(({ state }) => state.code).toSorted()).toEqual([
    ...["down", "healthy", "healthy"],
  ]);
  expect(outside.requests).toEqual([]);
  expect(await mailsTo(mine.email)).toEqual([]);
});

test("the browser of a trial connects to no typed host, and pages say so, and what they would show", async () => {
  const typed = "www.elsewhere.example.net";
  await runSql(
    `update public.deployments set options = jsonb_set(options, '{domain}', to_jsonb($2::text)) where id = $1`,
    [ids.deployment, typed],
  );
  const pages = {
    call: trialConnections.call,
    "connection-test": trialConnections.connectionTest,
    rooms: trialConnections.rooms,
    "recordings/AJ_k3KR8L8i5SJd": trialConnections.recording,
  };
  for (const [page, words] of Object.entries(pages)) {
    const response = await visitor.request(`/dashboard/deployments/${ids.deployment}/${page}`);
    expect(response.status, page).toBe(200);
    expect(response.headers.get("content-security-policy"), page).not.toContain(typed);
    expect(textOfHtml(await response.text()).replaceAll("&#x27;", "'"), page).toContain(words);
  }
});

test("the fleet of a trial takes no token and no channel, whoever asks for them", async () => {
  const { workspace, person } = await trialOf();
  const fleets = await site.fleets();
  const webhook = { kind: "webhook", url: outside.url } as const;
  const slack = { kind: "service", service: "slack", fields: { url: outside.url } };
  const refusal = async (ask: () => Promise<unknown>) => {
    try {
      return await ask();
    } catch (error) {
      return String(error);
    }
  };
  const isTrials = expect.stringContaining("The fleet is a trial's");
  const { deployment } = ids;
  expect(
    await refusal(() => fleets.makeToken({ workspace, deployment, uses: 1, hours: 1 })),
  ).toEqual(isTrials);
  expect(await refusal(() => fleets.addChannel(workspace, webhook, "first", person))).toEqual(
    isTrials,
  );
  expect(await refusal(() => fleets.addServiceChannel(workspace, slack as never))).toEqual(
    isTrials,
  );
});

test("past the site, a trial's session reads its own rows, and writes none", async () => {
  const token = visitor.sessionSecrets().find(({ name }) => name === "access_token")?.value ?? "";
  const { workspace, person } = await trialOf();
  const before = await contents();
  const read = await askDatabase("deployments?select=workspace_id", { token });
  const rows = (await read.json()) as { workspace_id: string }[];
  expect(new Set(rows.map(({ workspace_id }) => workspace_id))).toEqual(new Set([workspace]));
  const calls: Record<string, object> = {
    deployments: { workspace_id: workspace, name: "Mine", options: {} },
    members: { workspace_id: workspace, user_id: person, role: "owner" },
    trials: { workspace_id: workspace, user_id: person },
    "rpc/begin_trial": { person, seeds: [] },
    "rpc/move_trial": { trial: person, person },
    "rpc/remove_ended_trials": { at_most: 1 },
    "rpc/open_fleet": { actor: person, workspace, basic_prices: [] },
    "rpc/create_deployment": { owner: person, new_name: "x", new_options: {}, allowed: 9 },
  };
  for (const [path, body] of Object.entries(calls)) {
    const { status } = await askDatabase(path, { token, method: "POST", body });
    expect.soft([401, 403, 404], `${path}: ${status}`).toContain(status);
  }
  expect(changedTables(before, await contents())).toEqual([]);
});
