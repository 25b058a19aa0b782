import { beforeEach, expect, test } from "vitest";
import { personalPages } from "../../../app/ui/console/console-path.ts";
import { pageFields } from "../../../scripts/lib/page-forms.ts";
import { fullOptions } from "../../support/deployments/deployments.ts";
import { customer, newDeployment } from "../../support/deployments/wizard.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { connectMachine, openIncident } from "../../support/servers/connect-server.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import { answersGet, workspaceRoutes } from "../../support/site/site-routes.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import {
  addMember,
  newWorkspace,
  personalWorkspace,
  removeMember,
  type StoredWorkspace,
} from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const faultySite = siteWithFaults();

let visitor: Visitor;
let workspace: StoredWorkspace;
/** Where the pages of Ada's personal workspace are once it is shared. */
let base: string;

beforeEach(async () => {
  await resetFakes();
  visitor = await customer("pro", ada);
  workspace = await personalWorkspace(ada);
  base = `/dashboard/w/${workspace.slug}`;
});

async function share(role = "admin"): Promise<Visitor> {
  const member = await signedIn(ben);
  await addMember(workspace, ben, role);
  return member;
}

async function leadsTo(from: Visitor, path: string) {
  const response = await from.twin().request(path);
  await response.body?.cancel();
  return [response.status, response.headers.get("location")];
}

/** A deployment past the forms, in a workspace. */
async function storeIn({ id }: StoredWorkspace, email: string, name: string): Promise<string> {
  const [made] = await runSql<{ id: string }>(
    `select public.create_deployment(
       (select id from auth.users where email = $1), $2, $3::jsonb, 100, null, $4) as id`,
    [email, name, JSON.stringify(fullOptions()), id],
  );
  return made?.id ?? "none";
}

/** All addresses of a workspace's pages, with an id where one belongs; those of one session or recording are left out. */
const pagesOf = (slug: string, id: string) =>
  workspaceRoutes(slug)
    .filter(answersGet)
    // An open workspace has no page that says why it is closed.
    .filter(({ path }) => !/\*$|\/second-factor$/.test(path))
    .map(({ path }) => path.replace(":id", id).replace(":name", "livekit.yaml"))
    .filter((path) => !path.includes("/:"));

test("who is alone has the console at /dashboard, and the name of their workspace leads there", async () => {
  const id = await newDeployment(visitor);
  expect(await leadsTo(visitor, "/dashboard")).toEqual([200, null]);
  expect(await leadsTo(visitor, base)).toEqual([303, "/dashboard"]);
  expect(await leadsTo(visitor, `${base}/deployments/${id}/edit?step=domain`)).toEqual([
    303,
    `/dashboard/deployments/${id}/edit?step=domain`,
  ]);
  const zip = `${base}/deployments/${id}/bundle.zip?version=1`;
  expect(await leadsTo(visitor, zip)).toEqual([
    303,
    `/dashboard/deployments/${id}/bundle.zip?version=1`,
  ]);
  const page = await textOf(visitor, `/dashboard/deployments/${id}`);
  expect(page).not.toContain("/dashboard/w/");
  expect(page.includes('href="/dashboard/workspaces/new"')).toBe(true);
});

async function textOf(from: Visitor, path: string): Promise<string> {
  return (await from.twin().request(path)).text();
}

test("once a workspace is shared its pages are at its name, and the old addresses lead there", async () => {
  const id = await newDeployment(visitor);
  const machine = await connectMachine(
    { owner: visitor, deployment: id },
    { instance: "i-1", certificate: "livekit.example.com" },
  );
  const incident = await openIncident(visitor, machine);
  await share();
  expect(await leadsTo(visitor, "/dashboard")).toEqual([303, base]);
  expect(await leadsTo(visitor, "/dashboard/plan?to=pro")).toEqual([303, `${base}/plan?to=pro`]);
  for (const page of sample(pagesOf(workspace.slug, id), 9)) {
    const path = page
      .replace(`/servers/${id}`, `/servers/${machine.server}`)
      .replace(`/incidents/${id}`, `/incidents/${incident}`);
    const old = path.replace(base, "/dashboard");
    expect.soft(await leadsTo(visitor, old), old).toEqual([303, path]);
    const { status } = await visitor.twin().request(path);
    expect.soft([path, status]).toEqual([path, 200]);
    const links = [
      ...(await textOf(visitor, path)).matchAll(/(?:href|action)="(\/dashboard[^"]*)"/g),
    ];
    const elsewhere = links
      .map(([, address = ""]) => address)
      .filter(
        (address) =>
          ![base, ...personalPages].some((personalPage) => address.startsWith(personalPage)),
      );
    expect.soft(elsewhere, path).toEqual([]);
  }
  // What belongs to the person has one address.
  expect(await leadsTo(visitor, "/dashboard/account")).toEqual([200, null]);
  expect(await leadsTo(visitor, `${base}/account`)).toEqual([404, null]);
});

testInProof(
  "whose personal workspace is shared is led to the workspace that they had open last",
  async () => {
    await newWorkspace(ada, "blue-team");
    expect(await leadsTo(visitor, "/dashboard")).toEqual([200, null]);
    await share();
    await visitor.request("/dashboard/w/blue-team");
    expect(await leadsTo(visitor, "/dashboard")).toEqual([303, "/dashboard/w/blue-team"]);
    // An address that was kept stays that of the same workspace: another team's bill would stand there.
    expect(await leadsTo(visitor, "/dashboard/billing")).toEqual([303, `${base}/billing`]);
    await visitor.request(base);
    expect(await leadsTo(visitor, "/dashboard")).toEqual([303, base]);
  },
);

testInProof(
  "a form that was open when the workspace was shared is taken, and nothing that was typed is lost",
  async () => {
    const id = await newDeployment(visitor);
    const path = `/dashboard/deployments/${id}/edit?step=deployment`;
    const { values } = pageFields(await textOf(visitor, path));
    await share();
    const saved = await visitor.post(path, { ...values, name: "Named before" });
    expect(saved.status).toBe(303);
    expect(await textAt(visitor, `${base}/deployments/${id}`)).toContain("Named before");
  },
);

testInProof("a workspace of others is as unknown as none, at every address", async () => {
  const id = await newDeployment(visitor);
  const stranger = await customer("pro", ben);
  for (const slug of ["nobodys-team", "..%2F..", "X"]) {
    for (const path of pagesOf(slug, id)) {
      for (const address of [path, `${path}.data`]) {
        const answer = await stranger.twin().request(address);
        expect.soft([address, answer.status]).toEqual([address, 404]);
        expect.soft(await answer.text(), address).not.toMatch(/Production|rtc\.mycompany\.com/);
      }
    }
    const names = await stranger.request(`/deployments/names?workspace=${slug}`);
    expect.soft(names.status).toBe(404);
  }
  // The page is the console's own, and leads back into what is theirs.
  const page = await stranger.request(`/dashboard/w/${workspace.slug}`);
  const html = await page.text();
  expect(textOfHtml(html)).toContain("This workspace is not yours");
  expect(html).toContain('href="/dashboard"');
  expect(html).not.toContain(`href="${base}`);
});

testInProof(
  "a workspace answers a former member as it answers a stranger, and as one that never was",
  async () => {
    const id = await newDeployment(visitor);
    const stranger = await signedIn(ben);
    const fields = { intent: "rename", name: "Red team", step: "domain", version: "1" };
    /** What every address of a workspace answers, without what differs from one answer to the next. */
    async function answersAt(slug: string) {
      const answers: unknown[] = [];
      for (const path of pagesOf(slug, id)) {
        for (const [method, address] of [
          ["GET", path],
          ["GET", `${path}.data`],
          ["POST", path],
        ] as const) {
          const from = stranger.twin();
          const answer = await (method === "GET" ? from.request(address) : from.post(path, fields));
          const requestId = answer.headers.get("x-request-id") ?? "none";
          const lasting = (text: string) =>
            text
              .replaceAll(slug, "SLUG")
              .replaceAll(requestId, "REQUEST")
              .replaceAll(/nonce(-|="|\\":\\")[\w+/=-]+/g, "NONCE");
          answers.push([
            `${method} ${lasting(address)}`,
            answer.status,
            [...answer.headers].map(([name, value]) => `${name}: ${lasting(value)}`),
            lasting(await answer.text()),
          ]);
        }
      }
      return answers;
    }
    const ofNone = await answersAt("nobodys-team");
    expect(await answersAt(workspace.slug)).toEqual(ofNone);
    await addMember(workspace, ben, "admin");
    expect(await leadsTo(stranger, `${base}/settings`)).toEqual([200, null]);
    await removeMember(workspace, ben);
    expect(await answersAt(workspace.slug)).toEqual(ofNone);
  },
);

testInProof("a removed member reads so in plain text where they download", async () => {
  const id = await newDeployment(visitor);
  const member = await share();
  await removeMember(workspace, ben);
  for (const below of ["bundle.zip", "files/livekit.yaml"]) {
    const answer = await member.request(`${base}/deployments/${id}/${below}`);
    expect([answer.status, await answer.text()]).toEqual([
      404,
      "You are no member of a workspace at this address: you were removed, it was deleted, or it never existed. Nothing that you sent since then was saved.\n",
    ]);
  }
});

testInProof(
  "a deployment of another of one's workspaces leads to its page there, and a post finds none",
  async () => {
    const team = await newWorkspace(ada, "blue-team");
    const id = await storeIn(team, ada, "Of the team");
    const there = `/dashboard/w/blue-team/deployments/${id}`;
    for (const below of [
      "",
      "/edit?step=review",
      "/versions",
      "/bundle.zip",
      "/files/livekit.yaml",
    ]) {
      const here = `/dashboard/deployments/${id}${below}`;
      expect.soft(await leadsTo(visitor, here), here).toEqual([303, there + below]);
      expect.soft((await leadsTo(visitor, there + below))[0], there + below).toBe(200);
    }
    for (const below of ["", "/edit", "/duplicate", "/delete", "/versions", "/unsaved"]) {
      const fields = { name: "Of the team", intent: "progress", restore: "1", step: "deployment" };
      const { status } = await visitor.post(`/dashboard/deployments/${id}${below}`, fields);
      expect.soft([below, status]).toEqual([below, 404]);
    }
  },
);

testInProof(
  "each workspace has its own deployments, names, deleted ones and form for a new one",
  async () => {
    await newDeployment(visitor);
    const team = await newWorkspace(ada, "blue-team");
    const id = await storeIn(team, ada, "Of the team");
    const personalList = await textAt(visitor, "/dashboard/deployments");
    const teams = await textAt(visitor, "/dashboard/w/blue-team/deployments");
    expect([
      personalList.includes("rtc.mycompany.com"),
      personalList.includes("Of the team"),
    ]).toEqual([true, false]);
    expect([teams.includes("rtc.mycompany.com"), teams.includes("Of the team")]).toEqual([
      false,
      true,
    ]);
    const names = async (query: string) =>
      (await visitor.request(`/deployments/names${query}`)).json();
    expect(await names("")).toMatchObject([{ name: "Production" }]);
    expect(await names("?workspace=blue-team")).toMatchObject([{ id, name: "Of the team" }]);

    const typed = { domain: "typed.example.com", email: ada, step: "new", version: "0" };
    const answer = await visitor.post("/dashboard/w/blue-team/deployments/new/unsaved", typed);
    expect(answer.status, await answer.clone().text()).toBe(200);
    const unsaved = "select workspace_id from public.unsaved_changes";
    expect(await runSql(unsaved)).toEqual([{ workspace_id: team.id }]);

    await runSql(
      "select public.delete_deployment((select id from auth.users where email = $1), $2)",
      [ada, id],
    );
    expect(await textAt(visitor, "/dashboard/deployments")).not.toContain("Of the team");
    expect(await textAt(visitor, "/dashboard/w/blue-team/deployments")).toContain("Of the team");
    // The plan of one workspace does not bring back what is another's.
    expect((await visitor.post("/dashboard/deployments", { restore: id })).status).toBe(404);
  },
);

test("what is made at a workspace's address belongs to it", async () => {
  const member = await share();
  const made = await member.post(`${base}/deployments/new`, {
    ...{ name: "Made by Ben", domain: "ben.mycompany.com", email: ben },
  });
  expect(made.headers.get("location")).toContain(`${base}/deployments/`);
  expect(await textAt(visitor, `${base}/deployments`)).toContain("ben.mycompany.com");
  expect(await textAt(member, "/dashboard/deployments")).not.toContain("ben.mycompany.com");
});

testInProof(
  "a removed member has the console of their own again, and so has the owner who is left alone",
  async () => {
    const member = await share();
    expect(await leadsTo(member, `${base}/usage`)).toEqual([200, null]);
    await removeMember(workspace, ben);
    expect((await leadsTo(member, `${base}/usage`))[0]).toBe(404);
    expect(await leadsTo(member, "/dashboard")).toEqual([200, null]);
    expect(await leadsTo(visitor, base)).toEqual([303, "/dashboard"]);
  },
);

testInProof(
  "an account has its personal workspace when it has signed in, and gets one where it is missing",
  async () => {
    const count =
      "select count(*)::int from public.workspaces where personal_of = (select id from auth.users where email = $1)";
    const newcomer = await signedIn(ben);
    expect(await runSql(count, [ben])).toEqual([{ count: 1 }]);
    await runSql("delete from public.workspaces");
    expect(await runSql(count, [ben])).toEqual([{ count: 0 }]);
    expect(await leadsTo(newcomer, "/dashboard/deployments")).toEqual([200, null]);
    expect(await runSql(count, [ben])).toEqual([{ count: 1 }]);
  },
);

testInProof(
  "while nobody can say which workspaces somebody has, pages say what cannot be read, and nothing typed is lost",
  async () => {
    const site = faultySite();
    const there = visitor.twin(site.url);
    await there.request("/dashboard/account");
    site.supabaseProxy.behave(async ({ path }, forward) =>
      path.startsWith("/rest/v1/rpc/my_workspaces") ? "cut off" : forward(),
    );
    const list = await there.request("/dashboard/deployments");
    expect([list.status, await list.text()]).toEqual([
      503,
      expect.stringContaining("Your deployments cannot be read right now."),
    ]);
    const typed = { name: "", domain: "typed.example.com", email: ada };
    const posted = await there.post("/dashboard/deployments/new", typed);
    expect(posted.status).toBe(503);
    expect(await posted.text()).toContain('value="typed.example.com"');
    expect((await there.request("/dashboard/account")).status).toBe(200);
  },
);
