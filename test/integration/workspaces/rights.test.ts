import { beforeAll, expect, test } from "vitest";
import { notAllowed } from "../../../app/features/workspaces/roles.ts";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { actionCases, postTo } from "../../support/security/action-cases.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import {
  addMember,
  personalWorkspace,
  removeMember,
  type StoredWorkspace,
} from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const roles = ["admin", "operator", "viewer", "billing"] as const;

let owner: Visitor;
let member: Visitor;
let workspace: StoredWorkspace;
let base: string;
let deployment: string;
/** The roles that may do something, by the database's own table. */
let rights: Map<string, readonly string[]>;

beforeAll(async () => {
  await resetFakes();
  owner = await customer("pro", ada);
  member = await signedIn(ben);
  workspace = await personalWorkspace(ada);
  base = `/dashboard/w/${workspace.slug}`;
  deployment = await storeDeployment(ada, fullOptions());
  const rows = await runSql<{ action: string; roles: string[] }>(
    "select action, array_agg(role) as roles from public.role_rights() group by action",
  );
  rights = new Map(rows.map((row) => [row.action, row.roles]));
});

async function become(role: string) {
  await removeMember(workspace, ben);
  await addMember(workspace, ben, role);
}

/** The actions of the console that ask for a right, at the workspace's own address. */
const cases = () =>
  actionCases(deployment)
    .filter(({ path, rule }) => rule.may && path.startsWith("/dashboard"))
    .map((each) => ({ ...each, path: each.path.replace("/dashboard", base) }));

const sentence = (role: string) => `Your role in this workspace is ${role}. This is for owners`;

test("every form of the console is refused to the roles that the table does not name, and changes nothing", async () => {
  expect(cases().length).toBeGreaterThan(15);
  const stored = () =>
    runSql("select id, name, version, ticks, deleted_at from public.deployments order by id");
  const before = await stored();
  const told = new Set<string>();
  for (const role of roles) {
    await become(role);
    for (const each of cases()) {
      if (rights.get(each.rule.may ?? "")?.includes(role)) continue;
      // Each person's posts are counted: of the roles that may do no more than look, a viewer stands for the others.
      if (role === "viewer" || each.rule.may !== "describe") {
        const answer = await postTo(member.twin(), each);
        const text = await answer.text();
        const said = text.includes(sentence(role)) || text.includes("notice=not-allowed");
        expect.soft([role, each.name, said], text.slice(0, 300)).toEqual([role, each.name, true]);
        told.add(`${role} ${each.name}`);
      }
    }
  }
  expect(told.size).toBeGreaterThan(25);
  expect(await stored()).toEqual(before);
});

test("every form of the console is taken from the roles that the table names", async () => {
  for (const role of ["operator", "billing"]) {
    await become(role);
    for (const each of cases()) {
      if (!rights.get(each.rule.may ?? "")?.includes(role) || each.name.endsWith(" leave"))
        continue;
      // Nothing valid is posted: whatever is answered, it is no refusal of the role.
      const answer = await postTo(member.twin(), { ...each, fields: { ...each.fields, step: "" } });
      expect.soft(await answer.text(), `${role} ${each.name}`).not.toContain("Your role in this");
    }
  }
});

test("whoever is no member, or none any more, finds no form at all", async () => {
  await removeMember(workspace, ben);
  for (const each of cases()) {
    const { status } = await postTo(member.twin(), each);
    expect.soft([each.name, status]).toEqual([each.name, 404]);
  }
});

test("files are downloaded by those who may, and others are told who may", async () => {
  const files = ["bundle.zip", "files/livekit.yaml"].map(
    (name) => `${base}/deployments/${deployment}/${name}`,
  );
  for (const role of roles) {
    await become(role);
    const may = rights.get("download")?.includes(role);
    for (const path of files) {
      const answer = await member.twin().request(path);
      expect.soft([role, path, answer.status]).toEqual([role, path, may ? 200 : 403]);
      if (!may) expect.soft(await answer.text()).toContain(sentence(role));
    }
  }
});

test("the pages of a deployment hold its files, and what makes its secrets, only for those who may have them", async () => {
  const own = { ...fullOptions(), secrets: "browser" as const, domain: "own.example.com" };
  const secret = await storeDeployment(ada, own, "Secrets");
  await storeVersion(ada, secret, { ...own, domain: "new.example.com" }, 1);
  const parts = [
    [`/deployments/${deployment}?file=livekit.yaml`, "external_tls"],
    [`/deployments/${secret}`, "Make the secrets and download", "mediaUdp"],
    [`/deployments/${secret}/versions`, "Changes in livekit.yaml"],
  ] as const;
  for (const role of roles) {
    await become(role);
    const may = rights.get("download")?.includes(role) === true;
    for (const [path, ...held] of parts) {
      const answer = await member.twin().request(base + path);
      const html = await answer.text();
      expect.soft([role, path, answer.status]).toEqual([role, path, 200]);
      expect
        .soft([role, path, ...held.map((each) => html.includes(each))])
        .toEqual([role, path, ...held.map(() => may)]);
      if (!may) expect.soft(html, path).toContain(notAllowed(role, "download"));
    }
  }
});

test("a viewer reads every page, is told who may change it, and cannot fill in its forms", async () => {
  await become("viewer");
  const pages = ["", "/deployments", "/models", "/usage", "/billing", `/deployments/${deployment}`];
  const forms = [
    ...["/edit?step=domain", "/duplicate", "/delete"].map(
      (below) => `/deployments/${deployment}${below}`,
    ),
    "/deployments/new",
    "/models",
    "/plan",
  ];
  for (const path of [...pages, ...forms]) {
    const answer = await member.twin().request(base + path);
    const html = await answer.text();
    expect
      .soft([path, answer.status, html.includes(sentence("viewer"))])
      .toEqual([path, 200, true]);
    if (forms.includes(path)) expect.soft(html, path).toContain('<fieldset disabled=""');
    expect
      .soft(await (await owner.twin().request(base + path)).text(), path)
      .not.toContain("Your role in this");
  }
});

test("whoever is demoted while a form is open is refused with their next press", async () => {
  await become("operator");
  const path = `${base}/deployments/${deployment}/delete`;
  expect((await member.twin().request(path)).status).toBe(200);
  await runSql("update public.members set role = 'viewer' where role = 'operator'");
  const answer = await member.post(path, { name: "Production" });
  expect([answer.status, await answer.text()]).toEqual([
    403,
    expect.stringContaining(sentence("viewer")),
  ]);
});
