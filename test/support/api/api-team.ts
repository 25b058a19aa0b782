import { storePlan } from "../billing/store-plan.ts";
import { personalWorkspaceOf } from "../database/database.ts";
import { fullOptions, storeDeployment, storeVersion } from "../deployments/deployments.ts";
import { newcomer } from "../provider-faults/users.ts";
import { webhookAddress } from "../servers/arrived.ts";
import { connectMachine, openIncident } from "../servers/connect-server.ts";
import { sessions } from "../servers/session-lines.ts";
import { randomAddress } from "../site/network-address.ts";
import { siteUrl } from "../site/own-site.ts";
import { newApiToken } from "./api-client.ts";

export type ApiTeam = Awaited<ReturnType<typeof apiTeam>>;

/** What a machine says that takes up versions which one person approves. */
const approverLines = ["approvals\t1", `approver\t${"ab".repeat(16)}`];

/** The id of what a call makes. */
async function made(url: string, token: string, path: string, body: unknown): Promise<string> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...{ "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
      "cf-connecting-ip": randomAddress(),
    },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${path} made nothing: ${await answer.text()}`);
  return Object((await answer.json()) as unknown).id;
}

/** A workspace with one of everything that the API reads, whose owner is alone in it. `mark` is in its texts. */
export async function apiTeam(mark: string, url = siteUrl) {
  const email = `${mark}@example.com`;
  const { browser, userId } = await newcomer(url, email);
  await browser.request("/dashboard");
  await storePlan(email, "pro");
  const workspace = await personalWorkspaceOf(userId);
  const options = { ...fullOptions(), domain: `${mark}.example.com` };
  const deployment = await storeDeployment(email, options, `${mark} server`);
  await storeVersion(email, deployment, { ...options, monitoring: "basic" }, 1);
  const machine = await connectMachine(
    { owner: browser, deployment },
    { instance: `i-${mark}`, certificate: `${mark}.example.com` },
  );
  const incident = await openIncident(browser, machine);
  await machine.report(3, ["finding\tturn.udp.silent\tcritical\t\t\t", ...approverLines]);
  const token = (scopes: readonly string[], name?: string) =>
    newApiToken(userId, workspace, scopes, name);
  const ci = await token(["servers:write"], "CI");
  const rollout = await made(url, ci, `/servers/${machine.server}/rollouts`, {});
  return {
    ...{ email, browser, userId, workspace, deployment, options, machine, incident, rollout },
    ...{ server: machine.server, session: sessions.room, token },
  };
}

/** The id of a webhook of the team. */
export async function addedWebhook(team: ApiTeam, url = siteUrl): Promise<string> {
  return made(url, await team.token(["webhooks:write"], "Webhooks"), "/webhooks", {
    ...{ url: webhookAddress("fuzzed"), events: ["people"] },
    secret: `whsec_${"ab12".repeat(8)}`,
  });
}
