import { beforeAll, expect, test } from "vitest";
import { notAllowed } from "../../../app/features/workspaces/roles.ts";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import { mayDo, roles } from "../../support/workspaces/walk/role-table.ts";
import {
  addMember,
  personalWorkspace,
  removeMember,
  type StoredWorkspace,
} from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];

let owner: Visitor;
let member: Visitor;
let workspace: StoredWorkspace;
let base: string;
let deployment: string;

beforeAll(async () => {
  await resetFakes();
  owner = await customer("pro", ada);
  member = await signedIn(ben);
  workspace = await personalWorkspace(ada);
  base = `/dashboard/w/${workspace.slug}`;
  deployment = await storeDeployment(ada, fullOptions());
});

async function become(role: string) {
  await removeMember(workspace, ben);
  await addMember(workspace, ben, role);
}

const sentence = (role: string) => `Your role in this workspace is ${role}. This is for owners`;

test("the pages of a deployment hold its files, and what makes its secrets, only for those who may have them", async () => {
  const options = { ...fullOptions(), secrets: "browser" as const, domain: "own.example.com" };
  const secret = await storeDeployment(ada, options, "Secrets");
  await storeVersion(ada, secret, { ...options, domain: "new.example.com" }, 1);
  const parts = [
    [`/deployments/${deployment}?file=livekit.yaml`, "external_tls"],
    [`/deployments/${secret}`, "Make the secrets and download", "mediaUdp"],
    [`/deployments/${secret}/versions`, "Changes in livekit.yaml"],
  ] as const;
  for (const role of roles) {
    await become(role);
    const may = mayDo(role, "download");
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

testInProof(
  "a viewer reads every page and who may change it, and cannot fill in its forms",
  async () => {
    await become("viewer");
    const pages = [
      "",
      "/deployments",
      "/models",
      "/usage",
      "/billing",
      `/deployments/${deployment}`,
    ];
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
  },
);

test("a member who is demoted while a form is open is refused with their next press", async () => {
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
