import { beforeAll, expect, test } from "vitest";
import { reportedVersion } from "~/features/servers/rollouts/manifest.ts";
import { storePlan } from "../../support/billing/store-plan.ts";
import { database, personalWorkspaceOf } from "../../support/database/database.ts";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { type Authenticator, authenticator } from "../../support/rollouts/authenticator.ts";
import { askForToken } from "../../support/servers/ask-for-token.ts";
import { Machine } from "../../support/servers/machine.ts";
import { machine as said } from "../../support/servers/report-lines.ts";
import { serversAt } from "../../support/servers/servers-at.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

const email = "ada@example.com";
let device: Authenticator;
let machines: Machine[];
let owner: Awaited<ReturnType<typeof newcomer>>["browser"];
let deployment: string;
let seq = 0;

const report = (machine: Machine) =>
  machine.report(++seq, [
    `made-from\t${deployment}\t1\t${said.version}`,
    ...["approvals\t1", `approver\t${device.approver.fingerprint}`, "update-windows"],
  ]);

beforeAll(async () => {
  await resetFakes();
  const made = await newcomer(siteUrl, email);
  owner = made.browser;
  await owner.request("/dashboard");
  await storePlan(email, "pro");
  deployment = await storeDeployment(email, fullOptions());
  await storeVersion(email, deployment, { ...fullOptions(), monitoring: "basic" }, 1);
  device = authenticator(made.userId, siteUrl, email);
  const { credential, key, fingerprint } = device.approver;
  await database
    .rpc("add_approver_passkey", {
      ...{ actor: made.userId, workspace: await personalWorkspaceOf(made.userId) },
      ...{ new_name: "Key", new_credential: credential, new_key: key },
      ...{ new_fingerprint: fingerprint, allowed: 5 },
    })
    .throwOnError();
  machines = [];
  for (const instance of ["i-1", "i-2"]) {
    const machine = new Machine(serversAt(siteUrl), instance);
    await machine.enrol((await askForToken(owner, `/dashboard/deployments/${deployment}`)).token);
    await report(machine);
    machines.push(machine);
  }
}, 60_000);

const post = (fields: Record<string, string>) =>
  owner.post(`/dashboard/servers/${machines[0]?.server}`, fields);

/** What the audit log has of rollouts, the oldest first. */
const noted = () =>
  runSql("select action, after from public.audit_log where action like 'rollout.%' order by id");

/** The manifest of the open rollout, as its approver's browser gets the hash of it. */
async function approve(forged: Parameters<Authenticator["sign"]>[1] = {}) {
  const page = await (await owner.request(`/dashboard/servers/${machines[0]?.server}`)).text();
  const [, rollout = ""] = /name="rollout" value="([0-9a-f-]{36})"/.exec(page) ?? [];
  const [, challenge = ""] = /challenge[^A-Za-z0-9_-]+([A-Za-z0-9_-]{43})/.exec(page) ?? [];
  const signed = device.signChallenge(challenge, forged);
  return {
    rollout,
    answer: await post({
      ...{ intent: "approve-rollout", rollout, credential: signed.credential },
      ...{ "authenticator-data": signed.authenticatorData, "client-data": signed.clientData },
      signature: signed.signature,
    }),
  };
}

test("what is not signed by the approver's passkey approves nothing, and no machine hears of it", async () => {
  const wanted = { intent: "request-rollout", version: "2", others: "yes" };
  expect((await post({ ...wanted, version: "1" })).status).toBe(409);
  expect((await post(wanted)).status).toBe(303);
  expect((await post(wanted)).status).toBe(303);
  const forgeries = [
    { origin: "https://console.example.net" },
    { relyingParty: "example.net" },
    { flags: 0x01 },
    { type: "webauthn.create" },
    { challenge: "another version" },
  ];
  for (const forged of forgeries) {
    const { answer } = await approve(forged);
    expect.soft([forged, answer.status]).toEqual([forged, 409]);
    expect.soft(await answer.text()).toContain("The approval is not right");
  }
  for (const machine of machines)
    expect((await report(machine)).lines).not.toHaveProperty("rollout");
  expect(await noted()).toEqual([{ action: "rollout.requested", after: { version: 2 } }]);
});

test("somebody else's passkey, and a rollout of another server, are noted as no approval and no abort", async () => {
  const page = await (await owner.request(`/dashboard/servers/${machines[0]?.server}`)).text();
  const [, rollout = ""] = /name="rollout" value="([0-9a-f-]{36})"/.exec(page) ?? [];
  const other = new Machine(serversAt(siteUrl), "i-3");
  await other.enrol((await askForToken(owner, `/dashboard/deployments/${deployment}`)).token);
  const elsewhere = `/dashboard/servers/${other.server}`;
  for (const intent of ["approve-rollout", "abort-rollout"]) {
    expect.soft((await owner.post(elsewhere, { intent, rollout })).status).toBe(404);
  }
  const foreign = { intent: "approve-rollout", rollout, credential: "AAAA" };
  const answer = await post(foreign);
  expect([answer.status, await answer.text()]).toEqual([
    409,
    expect.stringContaining("This passkey is not among yours"),
  ]);
  expect(await noted()).toHaveLength(1);
});

test("an approved version goes to one server after the other, and stops at the first failure", async () => {
  const { rollout, answer } = await approve();
  expect(answer.status).toBe(303);
  const [first, second] = machines;
  if (!first || !second) throw new Error("There are no machines.");
  expect((await report(first)).lines.rollout).toBe(rollout);
  expect((await report(second)).lines).not.toHaveProperty("rollout");
  expect((await second.rolloutFiles(rollout)).status).toBe(404);
  expect((await second.rolloutStep(rollout, "proved")).status).toBe(200);
  expect((await report(first)).lines.rollout).toBe(rollout);
  await first.rolloutStep(rollout, "fetched");
  const abort = await post({ intent: "abort-rollout", rollout });
  expect(abort.status).toBe(303);
  expect((await first.rolloutStep(rollout, "checked")).lines.abort).toBe("yes");
  await first.rolloutStep(rollout, "aborted", "Aborted before anything was changed.");
  for (const machine of machines)
    expect((await report(machine)).lines).not.toHaveProperty("rollout");
  const page = await (await owner.request(`/dashboard/servers/${second.server}`)).text();
  expect(page).toContain("It ended before this server, on");
  const after = { rollout, version: 2 };
  expect((await noted()).slice(1)).toEqual([
    ...[
      { action: "rollout.approved", after },
      { action: "rollout.aborted", after },
    ],
  ]);
});

test("a version that is asked for in a window says when it begins, is noted with it, and the next form has it", async () => {
  const window = { "window-from": "2", "window-until": "5" };
  const wanted = { intent: "request-rollout", version: "2" };
  expect((await post({ ...wanted, ...window, "window-until": "2" })).status).toBe(409);
  expect((await post({ ...wanted, ...window, "window-from": "2x" })).status).toBe(409);
  expect((await post({ ...wanted, ...window })).status).toBe(303);
  const path = `/dashboard/servers/${machines[0]?.server}`;
  expect(await (await owner.request(path)).text()).toMatch(/begins it [\s\S]*?between /);
  const after = { version: 2, window: "from 02:00 until 05:00" };
  expect((await noted()).at(-1)).toEqual({ action: "rollout.requested", after });
  const { rollout } = await approve();
  await post({ intent: "abort-rollout", rollout });
  const form = await (await owner.request(path)).text();
  expect(form).toMatch(/<select[^>]*name="window-from"[\s\S]*?<option value="2" selected=""/);
});

test("files of another release than today's are said beside the approval, and those of today's are not", async () => {
  await post({ intent: "request-rollout", version: "2" });
  const inputs = {
    options: fullOptions(),
    version: 1,
    url: `http://servers.localhost:${new URL(siteUrl).port}`,
  };
  const today = reportedVersion(inputs, deployment) ?? "";
  const page = async () =>
    (await owner.request(`/dashboard/servers/${machines[0]?.server}`)).text();
  const reportFilesOf = (version: string) =>
    machines[0]?.report(++seq, ["approvals\t1", `approver\t${device.approver.fingerprint}`], {
      version,
      "made-from": `${deployment}\t1\t${version}`,
    });
  await reportFilesOf("a".repeat(64));
  expect(await page()).toContain("of another release of ours");
  await reportFilesOf(today);
  expect(await page()).not.toContain("of another release of ours");
});
