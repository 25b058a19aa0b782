import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { userIdOf } from "../../support/database/database.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { testInProof } from "../../support/run/variants.ts";
import { connectServer } from "../../support/servers/connect-server.ts";
import { askForSocket, openSocket } from "../../support/servers/live-socket.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { addMember, newWorkspace, personalWorkspace } from "../../support/workspaces/workspaces.ts";

beforeEach(resetFakes);

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];

async function signedIn(email: string): Promise<Visitor> {
  const visitor = new Visitor();
  await visitor.signInWithGoogle(email);
  return visitor;
}

/** Ada's personal workspace with a server, and Ben in it. */
async function team() {
  const [owner, member] = [await signedIn(ada), await signedIn(ben)];
  await storePlan(ada, "pro");
  const deployment = await storeDeployment(ada, fullOptions());
  const server = await connectServer(
    { owner, deployment },
    { instance: "i-live", certificate: "media.example.com" },
  );
  const workspace = await personalWorkspace(ada);
  await addMember(workspace, ben, "operator");
  const base = `/dashboard/w/${workspace.slug}`;
  return { owner, member, workspace, base, server };
}

/** The ticket in the page of a server. */
async function ticketIn(visitor: Visitor, page: string): Promise<string> {
  const response = await visitor.request(page);
  const [ticket] = /lkd_t_[0-9a-f_]+/.exec(await response.text()) ?? [];
  if (!ticket) throw new Error(`No ticket in ${page}: ${response.status}`);
  return ticket;
}

const ask = (ticket: string) => askForSocket(siteUrl, ticket);
const open = (ticket: string) => openSocket(siteUrl, ticket);

test("a sign-out closes the socket of this session, and its ticket opens none", async () => {
  const { owner, member, base, server } = await team();
  const other = await signedIn(ada);
  const page = `${base}/servers/${server}`;
  const tickets = [await ticketIn(owner, page), await ticketIn(other, page)] as const;
  const [socket] = [await open(tickets[0]), await open(await ticketIn(member, page))];
  await owner.post("/signout", { scope: "local" });
  expect(await socket.ended()).toBe(4403);
  expect(await ask(tickets[0])).toBe(401);
  expect(await ask(tickets[1])).toBe(101);
});

testInProof.for(["others", "global"] as const)(
  "signing out of %s closes them everywhere",
  async (scope) => {
    const { owner, base, server } = await team();
    const other = await signedIn(ada);
    const ticket = await ticketIn(other, `${base}/servers/${server}`);
    const socket = await open(ticket);
    await owner.post("/signout", { scope });
    expect(await socket.ended()).toBe(4403);
    expect(await ask(ticket)).toBe(401);
  },
);

test("a removed member's sockets close at once", async () => {
  const { owner, member, base, server } = await team();
  const page = `${base}/servers/${server}`;
  const ticket = await ticketIn(member, page);
  const socket = await open(ticket);
  await owner.post(`${base}/members`, { intent: "remove", person: await userIdOf(ben) });
  expect(await socket.ended()).toBe(4403);
  expect(await ask(ticket)).toBe(401);
  expect((await member.request(page)).status).toBe(404);
});

testInProof("a member who leaves a workspace gets no further page notification of it", async () => {
  const { member, base, server } = await team();
  const socket = await open(await ticketIn(member, `${base}/servers/${server}`));
  await member.post(`${base}/members`, { intent: "leave" });
  expect(await socket.ended()).toBe(4403);
});

testInProof("a workspace that is deleted closes the sockets of everybody", async () => {
  const owner = await signedIn(ada);
  const member = await signedIn(ben);
  const made = await newWorkspace(ada, "live-team");
  await addMember(made, ben, "operator");
  const tickets = [owner, member].map((visitor) => ticketIn(visitor, "/dashboard/w/live-team"));
  const sockets = [];
  for (const ticket of await Promise.all(tickets)) sockets.push(await open(ticket));
  await owner.post("/dashboard/w/live-team/settings", {
    intent: "delete",
    confirmation: "live-team",
  });
  for (const socket of sockets) expect(await socket.ended()).toBe(4403);
  expect(await runSql("select 1 from public.workspaces where id = $1", [made.id])).toEqual([]);
});

testInProof("an account that is deleted closes its sockets in every workspace", async () => {
  const { member, base, server } = await team();
  const socket = await open(await ticketIn(member, `${base}/servers/${server}`));
  await member.post("/dashboard/account", { intent: "delete", confirmation: ben });
  expect(await socket.ended()).toBe(4403);
});

test("a user who is no member gets no page of a server, and no ticket", async () => {
  const { owner, member, base, server } = await team();
  await owner.post(`${base}/members`, { intent: "remove", person: await userIdOf(ben) });
  const response = await member.request(`${base}/servers/${server}`);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain("lkd_t_");
});

test("only the console's documents may open a socket, and only at the servers Worker", async () => {
  const { owner, base, server } = await team();
  const socket = `ws://servers.localhost:${new URL(siteUrl).port}`;
  const policyOf = async (path: string) =>
    (await owner.request(path)).headers.get("content-security-policy");
  for (const path of [base, `${base}/servers/${server}`, `${base}/billing`]) {
    expect(await policyOf(path)).toContain(`connect-src 'self' ${socket};`);
  }
  for (const path of ["/", "/pricing", "/signin", "/contact"]) {
    expect(await policyOf(path)).not.toContain("servers.localhost");
  }
});
