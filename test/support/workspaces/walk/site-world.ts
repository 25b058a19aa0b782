import { hashOf } from "../../../../app/features/agents/api/token.ts";
import type { Role } from "../../../../app/platform/database/role-rights.ts";
import { pageFields } from "../../../../scripts/lib/page-forms.ts";
import { startSiteWithoutRateLimits } from "../../attacks/site-without-rate-limits.ts";
import { buyAtStripe, prices } from "../../billing/stripe-account.ts";
import { addAccount } from "../../database/as-person.ts";
import { contentsOf } from "../../database/changed-tables.ts";
import { database } from "../../database/database.ts";
import { keepRows } from "../../database/kept-rows.ts";
import { fullOptions, storeDeployment } from "../../deployments/deployments.ts";
import { newcomer } from "../../provider-faults/users.ts";
import { connectMachine } from "../../servers/connect-server.ts";
import type { Machine } from "../../servers/machine.ts";
import {
  resetFakes,
  runSql,
  settledStripeEvents,
  stripeControl,
} from "../../site/control-fakes.ts";
import { Visitor } from "../../site/visitor.ts";
import { addMember, newWorkspace, personalWorkspace, removeMember } from "../workspaces.ts";
import { invite } from "./invited.ts";
import { roles } from "./role-table.ts";

/** Somebody who asks, in a browser of their own. Without a role they are no member of the team. */
export type Walker = {
  name: string;
  role: Role | undefined;
  id: string;
  email: string;
  visitor: Visitor;
};

export type SiteWorld = Awaited<ReturnType<typeof siteWorld>>;

/** A word in every text that the team has, and in no address of its pages. */
export const teamMark = /okapi/i;

/** Where the workspace of the walker who owns another one is. */
export const elsewhere = "/dashboard/w/another-team";

/**
 * A site with a team that has one of everything, and everybody who asks for something of it: a member of each role, who
 * has no other workspace, and three who are none. No webhook arrives and no limit is reached. `await using` ends it.
 */
export async function siteWorld() {
  await resetFakes();
  const site = await startSiteWithoutRateLimits();
  const founder = await newcomer(site.url, "founder@example.com");
  await founder.browser.request("/dashboard");
  const { customer, subscription } = await buyAtStripe({
    email: founder.email,
    userId: founder.userId,
    price: prices.pro,
  });
  await settledStripeEvents();
  await stripeControl("webhooks", { paused: true });
  const team = await personalWorkspace(founder.email);
  const filled = await fillTeam(team.id, founder.userId);
  const machine = await connectMachine(
    { owner: founder.browser, deployment: filled.deployment },
    { instance: "i-okapi", certificate: "okapi.example.com" },
  );
  const fleets = await site.fleets();
  const incident = await openIncident(
    machine,
    async () => (await fleets.overview(team.id)).servers,
  );
  // However long the walk takes, its server does not fall silent, and nothing but a form makes the fleet due.
  await site.stopFleetClock(team.id);
  await runSql("update public.fleets set due_at = now() + interval '1 day'");
  const ids = {
    ...filled,
    ...{ server: machine.server, incident },
    team: team.id,
    customer,
    subscription,
  };

  const walkers: Walker[] = [];
  for (const name of [...roles, "former owner", "stranger", "owner elsewhere"]) {
    const role = roles.find((each) => each === name);
    const email = `${name.replaceAll(" ", ".")}@example.com`;
    const { userId: id, browser: visitor } = await newcomer(site.url, email);
    if (!role) await visitor.request("/dashboard");
    else await addMember(team, email, role);
    walkers.push({ name, role, id, email, visitor });
  }
  await addMember(team, "former.owner@example.com", "owner");
  await removeMember(team, "former.owner@example.com");
  await newWorkspace("owner.elsewhere@example.com", "another-team");

  const bystander = crypto.randomUUID();
  await addAccount(runSql, bystander, "bystander@example.com");
  await addMember(team, "bystander@example.com", "viewer");

  const tables = await allTables();
  const { putBack, forget } = await keepRows(runSql, tables);
  // What names the team, what it has or its members, and what would be a copy of it.
  const marks = ["okapi", ...Object.values(ids), founder.userId, bystander];
  const ofTeam = `t.row ~* '${marks.join("|")}'`;
  return {
    url: site.url,
    /** The machine of the team's server, which has reported twice, and has an incident since. */
    machine,
    fleets,
    ids: { ...ids, bystander },
    founder,
    walkers,
    signedOut: () => new Visitor(site.url),
    /** What the addresses of the team's pages begin with. */
    base: `/dashboard/w/${team.slug}`,
    slug: team.slug,
    /** What every table holds now. */
    contents: () => contentsOf(runSql, tables),
    /** The same, of the rows that are about the team. */
    teamsContents: () => contentsOf(runSql, tables, ofTeam),
    /** What the form of a page of the team has in its fields, with these changes. */
    async formFields(page: string, changes: Record<string, string>) {
      const response = await founder.browser.request(`/dashboard/w/${team.slug}${page}`);
      return { ...pageFields(await response.text()).values, ...changes };
    },
    /** Makes every table as it was in the beginning. */
    putBack,
    async [Symbol.asyncDispose]() {
      await forget();
      await stripeControl("webhooks", { paused: false });
      await site[Symbol.asyncDispose]();
    },
  };
}

/** The second report of the team's machine opens an incident, which goes on. Answers its id. */
async function openIncident(
  machine: Machine,
  servers: () => Promise<readonly { incident?: { id: string } | undefined }[]>,
): Promise<string> {
  await machine.report(2, [
    "certificate\tokapi.example.com\t1796313650",
    "finding\tturn.udp.silent\tcritical\t\tokapi does not answer\t",
  ]);
  const opened = (await servers()).find(({ incident }) => incident)?.incident?.id;
  if (!opened) throw new Error("No incident opened");
  return opened;
}

async function allTables(): Promise<string[]> {
  const found = await runSql<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  return found.map(({ name }) => name);
}

/** Gives the team one of everything, made by its founder. Answers the ids. */
async function fillTeam(team: string, founder: string) {
  await runSql("update public.workspaces set name = 'Okapi team' where id = $1", [team]);
  const options = { ...fullOptions(), domain: "okapi.example.com" };
  const deployment = await storeDeployment(founder, options, "Okapi server");
  await database
    .rpc("save_deployment", {
      owner: founder,
      target: deployment,
      new_name: "Okapi server",
      new_options: { ...options, domain: "new.okapi.example.com" },
      expected_version: 1,
    })
    .throwOnError();
  const deleted = await storeDeployment(founder, options, "Okapi and deleted");
  await database.rpc("delete_deployment", { owner: founder, target: deleted }).throwOnError();
  for (const [expected_version, new_model] of ["okapi-one", "okapi-two"].entries()) {
    await database
      .rpc("save_model_configuration", {
        owner: founder,
        saver: "founder@example.com",
        expected_version,
        new_model,
        new_instructions: "Okapi instructions",
        new_voice: "nova",
        new_transcription_model: "whisper-2",
      })
      .throwOnError();
  }
  await database
    .rpc("set_usage_allowance", {
      owner: founder,
      of_identity: "okapi-identity",
      basic_prices: [],
      tokens: 900,
    })
    .throwOnError();
  const new_hash = await hashOf("okapi");
  await database
    .rpc("create_api_token", {
      owner: founder,
      new_name: "Okapi token",
      new_hash,
      new_ending: "abcd",
      allowed: 20,
    })
    .throwOnError();
  const [token] = await runSql<{ id: string }>("select id from public.api_tokens");
  await database
    .rpc("create_workspace_token", {
      ...{ actor: founder, workspace: team, new_name: "Okapi CI", allowed: 20 },
      ...{ new_hash: await hashOf("okapi ci"), new_ending: "wxyz", new_scopes: ["servers:read"] },
      new_end: new Date(Date.now() + 86_400_000).toISOString(),
    })
    .throwOnError();
  await database
    .rpc("add_approver_passkey", {
      ...{ actor: founder, workspace: team, new_name: "Okapi passkey", new_credential: "okapi" },
      new_key: `MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${"a".repeat(86)}==`,
      ...{ new_fingerprint: "a".repeat(32), allowed: 5 },
    })
    .throwOnError();
  const [workspaceToken] = await runSql<{ id: string }>("select id from public.workspace_tokens");
  const invitation = await invite(founder, team, "okapi.guest@example.com");
  return {
    deployment,
    deleted,
    token: token?.id ?? "none",
    workspaceToken: workspaceToken?.id ?? "none",
    invitation,
  };
}
