import { beforeAll, expect, test } from "vitest";
import { changeOwn, newTokenOf, userConfiguration } from "../../support/agents/agent.ts";
import { everyRow, tableNames } from "../../support/attacks/stored-rows.ts";
import { accountPageOf, change, setUpSecondFactor } from "../../support/auth/account.ts";
import { receivedWrites } from "../../support/billing/stripe-account.ts";
import { database, userIdOf } from "../../support/database/database.ts";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { callTool, connectGoogle } from "../../support/google/google-account.ts";
import { inTurn, testInProof } from "../../support/run/variants.ts";
import { connectMachine, openIncident } from "../../support/servers/connect-server.ts";
import { agentJob, sessions } from "../../support/servers/session-lines.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { answersGet, siteRoutes } from "../../support/site/site-routes.ts";
import type { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
let owner: Visitor;
let stranger: Visitor;
/** An id of each kind, the owner's. */
let ids: Record<
  "deployment" | "server" | "incident" | "token" | "customer" | "identity" | "user",
  string
>;

beforeAll(async () => {
  await resetFakes();
  owner = await customer("pro", email);
  stranger = await customer("pro", "customer.two@example.com");
  const deployment = await storeDeployment(email, fullOptions(), "Private name");
  await storeVersion(email, deployment, { ...fullOptions(), domain: "two.private.example" }, 1);
  await newTokenOf(owner, "Private token");
  const user = await userIdOf(email);
  const { data } = await database.from("customers").select("id").eq("user_id", user).single();
  const identity = /name="identity" value="([^"]+)"/.exec(await accountPageOf(owner))?.[1] ?? "";
  const machine = await connectMachine(
    { owner, deployment },
    { instance: "i-private", certificate: "two.private.example" },
  );
  ids = {
    deployment,
    server: machine.server,
    incident: await openIncident(owner, machine),
    user,
    token: (await userConfiguration(owner)).tokens[0]?.id ?? "",
    customer: data?.id ?? "",
    identity,
  };
});

/** The addresses of these routes that have an id in them, filled with the owner's. */
function addressesOf(id: string, routes = siteRoutes()): string[] {
  return routes
    .filter(({ path }) => path.includes(":id"))
    .map(({ path }) =>
      path
        .replace("/servers/:id", `/servers/${ids.server}`)
        .replace(":session", sessions.room)
        .replace(":participant", sessions.participant)
        .replace(":job", agentJob)
        .replace("/incidents/:id", `/incidents/${ids.incident}`)
        .replace(":id", id)
        .replace(":name", "livekit.yaml"),
    );
}

test("every address with an id shows its owner something, and another person that there is nothing", async () => {
  const addresses = addressesOf(ids.deployment, siteRoutes().filter(answersGet));
  expect(addresses.length).toBeGreaterThan(5);
  const spelled = inTurn();
  for (const path of addresses) {
    const all = [path, `${path}.data`, `${path}?version=2`, `${path}?from=1&to=2`];
    for (const address of spelled(all)) {
      // Questions about a session are counted by address, and nobody opens so many pages a minute from one.
      const [ownersAnswer, others] = [
        await owner.twin().request(address),
        await stranger.twin().request(address),
      ];
      // 409: its files are made in the browser only, which is its owner's to know.
      expect.soft([200, 409], `${address}: ${ownersAnswer.status}`).toContain(ownersAnswer.status);
      expect.soft([address, others.status]).toEqual([address, 404]);
      expect
        .soft(await others.text(), address)
        .not.toMatch(/Private|media\.example|private\.example/);
      await ownersAnswer.body?.cancel();
    }
  }
});

test("every id in a form is the person's own, or nothing happens", async () => {
  const { deployment, token, customer, identity, user } = ids;
  const tables = tableNames();
  const before = { rows: await everyRow(tables), writes: await receivedWrites() };
  const fields = {
    intent: "secrets-on-server",
    step: "deployment",
    restore: "1",
    version: "2",
    name: "Taken",
    domain: "taken.example.com",
    applied: "1",
  };
  for (const path of addressesOf(deployment)) {
    const { status } = await stranger.post(path, fields);
    expect.soft([404, 405], `POST ${path}: ${status}`).toContain(status);
  }
  expect((await stranger.post("/dashboard/deployments", { restore: deployment })).status).toBe(404);
  expect(await changeOwn(stranger, { intent: "revoke-token", token })).toMatchObject({
    ok: false,
    status: 404,
  });
  expect(await change(stranger, { intent: "unlink", identity })).toMatchObject({ status: 400 });
  const portal = await stranger.post("/dashboard/billing", { customer });
  expect([portal.status, portal.headers.get("location")]).toEqual([303, "/pricing"]);
  const order = await stranger.request("/api/create-checkout-session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ priceId: "price_1", userId: user }),
  });
  expect(order.status).toBe(403);
  expect({ rows: await everyRow(tables), writes: await receivedWrites() }).toEqual(before);
});

testInProof("another person's second factor is neither finished nor removed", async () => {
  await setUpSecondFactor(owner);
  const factorId = /name="factorId" value="([^"]+)"/.exec(await accountPageOf(owner))?.[1] ?? "";
  expect(factorId).toMatch(/^[0-9a-f-]{36}$/);
  const removed = await change(stranger, { intent: "remove_factor", factorId });
  expect(removed.status).toBe(400);
  const finished = await change(stranger, {
    intent: "finish_enrolment",
    factorId,
    code: "123456",
    secret: "ABCDEFGHIJKLMNOP",
  });
  expect([400, 404]).toContain(finished.status);
  expect(await accountPageOf(owner)).toContain(factorId);
});

testInProof(
  "an id that is sent to Google names one thing of the person's own, and no other address there",
  async () => {
    await connectGoogle(stranger, {
      tool: "tasks",
      tab: "complete",
      email: "customer.two@example.com",
    });
    for (const task of [".", "..", "../../users/@me/lists", "a/../..", "%2e%2e", "x?y=1", "x#y"]) {
      const { status } = await callTool(stranger, "tasks/complete", { task });
      expect.soft([task, status]).toEqual([task, 404]);
    }
  },
);
