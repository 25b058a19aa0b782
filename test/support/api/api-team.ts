import { storePlan } from "../billing/store-plan.ts";
import { personalWorkspaceOf } from "../database/database.ts";
import { fullOptions, storeDeployment, storeVersion } from "../deployments/deployments.ts";
import { newcomer } from "../provider-faults/users.ts";
import { connectMachine, openIncident } from "../servers/connect-server.ts";
import { sessions } from "../servers/session-lines.ts";
import { randomAddress } from "../site/network-address.ts";
import { siteUrl } from "../site/own-site.ts";
import { newApiToken } from "./api-client.ts";

export type ApiTeam = Awaited<ReturnType<typeof apiTeam>>;

/** What a machine says that takes up versions which one person approves. */
const approverLines = ["approvals\t1", `approver\t${"ab".repeat(16)}`];

async function requestedRollout(token: string, server: string, url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/servers/${server}/rollouts`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...{ "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
      "cf-connecting-ip": randomAddress(),
    },
    body: "{}",
  });
  if (answer.status !== 201) throw new Error(`No rollout was made: ${await answer.text()}`);
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
  const rollout = await requestedRollout(await token(["servers:write"], "CI"), machine.server, url);
  return {
    ...{ email, browser, userId, workspace, deployment, options, machine, incident, rollout },
    ...{ server: machine.server, session: sessions.room, token },
  };
}
