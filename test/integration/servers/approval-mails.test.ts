import { afterEach, beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { fullOptions } from "../../support/deployments/deployments.ts";
import { authenticator } from "../../support/rollouts/authenticator.ts";
import { makeFleet } from "../../support/servers/make-fleet.ts";
import { resetFakes, steerMail } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

const deployment = "44444444-4444-4444-8444-444444444444";
const origin = "https://console.example.com";
let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
afterEach(resetFakes);

/** A server of which Ada, Ben and Cat are approvers; it does not know Cat's passkey. */
async function team() {
  const name = crypto.randomUUID();
  const [ada, ben, cat] = (["ada", "ben", "cat"] as const).map((who) =>
    authenticator(crypto.randomUUID(), origin, `${who}-${name}@example.com`),
  );
  if (!ada || !ben || !cat) throw new Error("There are no devices.");
  const { fleets, workspace, first, move } = await makeFleet(worker, { isStopped: true });
  const keys = [ada, ben, cat].map(({ approver }) => approver);
  await fleets.setApprovers(workspace, { needed: 1, origin, keys, revision: 1 });
  const report = (seq: number) =>
    first.report(seq, [
      ...["approvals\t1", "update-windows"],
      ...[ada, ben].map(({ approver }) => `approver\t${approver.fingerprint}`),
    ]);
  await report(2);
  const request = async (version: number, by = "Token CI", more: object = {}) => {
    const made = await fleets.requestRollout(workspace, {
      ...{ servers: [first.server ?? ""], deployment, version, isLower: false, by, ...more },
      inputs: { options: fullOptions(), version, url: origin },
    });
    if ("refused" in made) throw new Error(made.refused);
    return made.rollout;
  };
  const subjects = async () =>
    Promise.all(
      [ada, ben, cat].map(async ({ approver }) =>
        (await mailsTo(approver.by)).map(({ subject }) => subject),
      ),
    );
  return { ada, ben, cat, fleets, workspace, first, move, report, request, subjects };
}

const waits = (version: number) => `Version ${version} waits for your approval`;

test("approvers whose passkey the server knows get one mail, with what, where, who and when, and nothing that approves", async () => {
  const { ada, first, move, request, subjects } = await team();
  const rollout = await request(2, "Token CI", { window: { from: 2, until: 5 } });
  await request(2, "Token CI", { window: { from: 2, until: 5 } });
  await move(1);
  expect(await subjects()).toEqual([[], [], []]);
  await move(2);
  expect(await subjects()).toEqual([[waits(2)], [waits(2)], []]);
  const [mail] = await mailsTo(ada.approver.by);
  expect(mail?.text).toContain("Token CI asked for it on sfu-1.");
  expect(mail?.text).toContain(`/servers/${first.server}#rollout`);
  expect(mail?.text).toMatch(/between .* UTC and .* at 5:00 AM UTC/);
  expect(mail?.text).toContain("/dashboard/w/northwind/approvers");
  for (const secret of [rollout.id, ada.approver.credential, ada.approver.fingerprint])
    expect(mail?.text).not.toContain(secret);
});

test("who asked gets none, and nobody does where it was approved or gave way before the mail", async () => {
  const { ada, ben, fleets, workspace, move, request, subjects } = await team();
  const rollout = await request(2, ada.approver.by);
  await move(1);
  const signed = ada.sign(rollout.manifest ?? "");
  await fleets.approveRollout(workspace, rollout.id, ada.approver.person, signed);
  await move(3);
  expect(await subjects()).toEqual([[], [], []]);
  await fleets.abortRollout(workspace, rollout.id, ada.approver.by);
  await request(3, ben.approver.by);
  await request(4, ben.approver.by);
  await move(20);
  expect(await subjects()).toEqual([[waits(4)], [], []]);
});

test("another version within a quarter of an hour brings no further mail before that is over", async () => {
  const { move, report, request, subjects } = await team();
  await request(2);
  await move(3);
  await report(3);
  await request(3);
  await move(5);
  await report(4);
  await request(4);
  await move(5);
  expect((await subjects())[0]).toEqual([waits(2)]);
  await move(5);
  expect((await subjects())[0]).toEqual([waits(4), waits(2)]);
});

test("a mail that the mail server did not take is sent again, and whose passkey was removed gets none", async () => {
  const { ada, ben, fleets, workspace, move, request, subjects } = await team();
  await steerMail({ resend: "down" });
  await request(2);
  await move(3);
  expect(await subjects()).toEqual([[], [], []]);
  await resetFakes();
  const keys = [ada.approver];
  await fleets.setApprovers(workspace, { needed: 1, origin, keys, revision: 2 });
  await move(2);
  expect(await subjects()).toEqual([[waits(2)], [], []]);
  expect(ben.approver.by).toContain("ben-");
});
