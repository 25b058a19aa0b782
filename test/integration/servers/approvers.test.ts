import { beforeEach, expect, test } from "vitest";
import { database, personalWorkspaceOf } from "../../support/database/database.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { authenticator } from "../../support/rollouts/authenticator.ts";
import { askForToken } from "../../support/servers/ask-for-token.ts";
import { Machine } from "../../support/servers/machine.ts";
import { serverCustomer, updateFleets } from "../../support/servers/server-customer.ts";
import { startSiteWithoutFleets } from "../../support/servers/site-without-fleets.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

/** A passkey of somebody in their own workspace, of which no fleet has heard. */
async function storePasskey(actor: string, siteUrl: string) {
  const workspace = await personalWorkspaceOf(actor);
  const { credential, key, fingerprint } = authenticator(actor, siteUrl).approver;
  await database
    .rpc("add_approver_passkey", {
      ...{ actor, workspace, new_name: "Key", allowed: 5 },
      ...{ new_credential: credential, new_key: key, new_fingerprint: fingerprint },
    })
    .throwOnError();
  const [row] = await runSql<{ id: string }>(
    "select id from public.approver_passkeys where fingerprint = $1",
    [fingerprint],
  );
  return { workspace, fingerprint, id: row?.id ?? "" };
}

test("a passkey that is removed while servers are not reached: the page says so, and the fleet is due at once", async () => {
  await using site = await startSiteWithoutFleets();
  const { browser, userId } = await newcomer(site.url, "ada@example.com");
  await browser.request("/dashboard");
  const { workspace, id } = await storePasskey(userId, site.url);
  await runSql(
    "insert into public.fleets (workspace_id, due_at) values ($1, now() + interval '1 hour')",
    [workspace],
  );
  const fields = { intent: "remove-passkey", passkey: id };
  const answer = await (await browser.post("/dashboard/approvers", fields)).text();
  // The page's data has all its words: what is drawn follows a tag.
  expect(answer).toContain(">The passkey is removed, and nothing can be approved with it");
  expect(answer).not.toContain(">The passkey is removed. Each server");
  expect(await runSql("select id from public.approver_passkeys where id = $1", [id])).toEqual([]);
  const [due] = await runSql(
    "select due_at < now() + interval '1 minute' as soon from public.fleets where workspace_id = $1",
    [workspace],
  );
  expect(due).toEqual({ soon: true });
});

test("the hourly run tells fleets of passkeys that they have not heard of, and of those that are gone", async () => {
  const worker = await sharedWorker();
  const { browser, userId, page } = await serverCustomer(worker, "pro");
  const { token } = await askForToken(browser, page);
  const { fingerprint, id } = await storePasskey(userId, worker.url);
  await updateFleets(worker);
  const machine = new Machine(worker, "i-1");
  expect((await machine.enrol(token)).lines["approver-1"]).toContain(fingerprint);
  await runSql("delete from public.approver_passkeys where id = $1", [id]);
  await updateFleets(worker);
  const said = ["approvals\t1", `approver\t${fingerprint}`];
  expect((await machine.report(1, said)).lines).toMatchObject({ "approvers-removed": fingerprint });
});
