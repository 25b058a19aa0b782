import { beforeEach, expect, test } from "vitest";
import { database, userIdOf } from "../../support/database/database.ts";
import { storedDeployment } from "../../support/deployments/deployments.ts";
import { customer, newDeployment } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt } from "../../support/site/page-text.ts";
import { variable } from "../../support/site/variables.ts";
import type { Visitor } from "../../support/site/visitor.ts";

const other = "customer.two@example.com";

beforeEach(resetFakes);

testInProof("another person's deployment is as unknown as none, in every route", async () => {
  const owner = await customer("pro");
  const stranger = await customer("pro", other);
  const id = await newDeployment(owner);
  const under = (name: string) => [
    `/dashboard/deployments/${name}/edit`,
    `/dashboard/deployments/${name}/edit?step=review`,
    `/dashboard/deployments/${name}/delete`,
    `/dashboard/deployments/${name}/duplicate`,
    `/dashboard/deployments/${name}`,
    `/dashboard/deployments/${name}/versions?from=1&to=1`,
    `/dashboard/deployments/${name}/files/livekit.yaml`,
    `/dashboard/deployments/${name}/bundle.zip`,
  ];
  const unknown = "00000000-0000-4000-8000-000000000000";
  for (const path of [...under(id), ...under(unknown), ...under(`${id}'--`)]) {
    const response = await stranger.request(path);
    expect.soft([path, response.status]).toEqual([path, 404]);
    expect.soft(await response.text(), path).not.toContain("rtc.mycompany.com");
  }
  for (const name of ["1", "%00", id.toUpperCase()]) {
    expect.soft((await owner.request(`/dashboard/deployments/${name}`)).status, name).toBe(404);
  }
  const fields = {
    ...{ step: "deployment", intent: "progress", done: "yes", restore: "1" },
    ...{ name: "Production", domain: "other.mycompany.com" },
  };
  for (const path of ["", "/edit", "/delete", "/versions", "/duplicate"]) {
    const answer = await stranger.post(`/dashboard/deployments/${id}${path}`, fields);
    expect.soft(answer.status, path).toBe(404);
  }
  const ofVersions: Record<string, string>[] = [{ applied: "1" }, { noted: "1", note: "Theirs" }];
  for (const posted of ofVersions) {
    const answer = await stranger.post(`/dashboard/deployments/${id}/versions`, posted);
    expect.soft(answer.status).toBe(404);
  }
  expect((await storedDeployment(id)).version).toBe(1);
  expect(await textAt(stranger, "/dashboard/deployments")).toContain("Your first server");
});

test("the database itself gives a deployment to its owner only, and takes writes from nobody", async () => {
  const owner = await customer("pro");
  const stranger = await customer(undefined, other);
  const id = await newDeployment(owner);
  const tokenOf = (visitor: Visitor) =>
    visitor.sessionSecrets().find(({ name }) => name === "access_token")?.value ?? "";
  const ask = (path: string, token: string, method = "GET", body?: object) =>
    fetch(`${variable("SUPABASE_URL")}/rest/v1/${path}`, {
      method,
      headers: {
        apikey: variable("SUPABASE_PUBLISHABLE_KEY"),
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        prefer: "return=representation",
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const anon = variable("SUPABASE_PUBLISHABLE_KEY");
  expect(await (await ask("deployments?select=id", tokenOf(owner))).json()).toEqual([{ id }]);
  for (const table of ["deployments", "deployment_versions"]) {
    expect(await (await ask(table, tokenOf(stranger))).json()).toEqual([]);
    expect((await ask(table, anon)).status).toBe(401);
  }
  const ownerId = await userIdOf("customer.one@example.com");
  const writes: [path: string, method: string, body?: object][] = [
    [`deployments?id=eq.${id}`, "PATCH", { name: "Taken" }],
    [`deployments?id=eq.${id}`, "DELETE"],
    ["deployments", "POST", { user_id: ownerId, name: "Free", options: {} }],
    [`deployment_versions?deployment_id=eq.${id}`, "PATCH", { options: {} }],
    ["deployment_versions", "POST", { deployment_id: id, version: 2, options: {} }],
    [
      "rpc/create_deployment",
      "POST",
      { owner: ownerId, new_name: "Free", new_options: {}, allowed: 9 },
    ],
    [
      "rpc/save_deployment",
      "POST",
      { owner: ownerId, target: id, new_name: "x", new_options: {}, expected_version: 1 },
    ],
    ["rpc/delete_deployment", "POST", { owner: ownerId, target: id }],
    ["rpc/restore_deployment", "POST", { owner: ownerId, target: id, allowed: 9 }],
    ["rpc/deleted_deployments", "POST", { owner: ownerId }],
    ["rpc/remove_deleted_deployments", "POST", { at_most: 9 }],
    ["rpc/apply_deployment_version", "POST", { owner: ownerId, target: id, new_version: 1 }],
    [
      "rpc/note_deployment_version",
      "POST",
      { owner: ownerId, target: id, noted_version: 1, new_note: "x" },
    ],
    [
      "rpc/set_deployment_tick",
      "POST",
      { owner: ownerId, target: id, step: "dns", done: true, of_version: 1, how: "site" },
    ],
    [
      "rpc/set_server_address",
      "POST",
      { owner: ownerId, target: id, new_ipv4: "198.41.0.4", new_ipv6: "", of_version: 1 },
    ],
  ];
  for (const token of [tokenOf(owner), tokenOf(stranger), anon]) {
    for (const [path, method, body] of writes) {
      const { status } = await ask(path, token, method, body);
      expect.soft([401, 403], `${method} ${path} answered ${status}`).toContain(status);
    }
  }
  expect(await storedDeployment(id)).toMatchObject({
    name: "Production",
    version: 1,
    ticks: {},
    server_ipv4: null,
  });
});

testInProof(
  "a signed-out visitor changes nothing, and only a deployment's form is kept for later",
  async () => {
    const visitor = await customer("pro");
    const id = await newDeployment(visitor);
    visitor.loseSession();
    const here = `/dashboard/deployments/${id}`;
    const typed = { name: "Taken", domain: "taken.mycompany.com", email: "taken@mycompany.com" };
    const forms: [path: string, fields: Record<string, string>, kept: boolean][] = [
      ["/dashboard/deployments", { restore: id }, false],
      [`${here}/duplicate`, typed, true],
      ["/dashboard/account", { intent: "password", password: "a long secret one" }, false],
      [`${here}/delete`, {}, false],
      [here, { intent: "progress", step: "dns", done: "yes" }, true],
      [`${here}/edit?step=deployment`, { ...typed, step: "deployment", version: "1" }, true],
      ["/dashboard/deployments/new", typed, true],
    ];
    for (const [path, fields, expectedForm] of forms) {
      const answer = await visitor.post(path, fields);
      expect.soft([path, answer.status]).toEqual([path, 303]);
      expect.soft(answer.headers.get("location"), path).toMatch(/^\/signin\?next=/);
      const cookies = answer.headers.getSetCookie().join();
      expect.soft([path, cookies.includes("unsaved-form=")]).toEqual([path, expectedForm]);
      expect.soft(cookies, path).not.toContain("long secret");
    }
    const { data } = await database.from("deployments").select("name, version, ticks");
    expect(data).toEqual([{ name: "Production", version: 1, ticks: {} }]);
  },
);
