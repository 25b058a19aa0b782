import { beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { testInProof } from "../../support/run/variants.ts";
import { Machine } from "../../support/servers/machine.ts";
import { serverCustomer, updateFleets } from "../../support/servers/server-customer.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";

const minute = 60_000;
const taken = { status: 200 };
const revoked = { status: 410, lines: { refused: "token-revoked" } };

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
beforeEach(resetFakes);

const enrol = (token: string, name: string) => new Machine(worker, name).enrol(token);

/** A team with a Pro plan, and a member of it who makes tokens for its deployment. */
async function teamWithMember(role = "operator") {
  const owner = await serverCustomer(worker, "pro");
  const member = await serverCustomer(worker);
  const [found] = await runSql<{ slug: string }>(
    `with joined as (
       insert into public.members (workspace_id, user_id, role) values ($1, $2, $3) returning workspace_id
     ) select slug from public.workspaces where id in (select workspace_id from joined)`,
    [owner.workspace, member.userId, role],
  );
  const base = `/dashboard/w/${found?.slug}`;
  const page = `${base}/deployments/${owner.deployment}`;
  const ask = async ({ browser }: typeof owner) => {
    const text = await (await browser.post(page, { intent: "connect", machines: "50" })).text();
    return /lkd_e_\w+/.exec(text)?.[0] ?? "";
  };
  const change = (fields: Record<string, string>) =>
    owner.browser.post(`${base}/members`, { person: member.userId, ...fields });
  return { owner, member, page, base, ask, change };
}

test("who is removed from a workspace, or leaves it, leaves no token behind; others' tokens go on", async () => {
  for (const goes of ["removed", "leaves"] as const) {
    const { owner, member, base, ask, change } = await teamWithMember();
    const [ownersToken, theirs] = [await ask(owner), await ask(member)];
    const server = new Machine(worker, "i-theirs");
    expect(await server.enrol(theirs)).toMatchObject(taken);
    if (goes === "removed") await change({ intent: "remove" });
    else await member.browser.post(`${base}/members`, { intent: "leave" });
    expect(await enrol(theirs, "i-stranger"), goes).toMatchObject(revoked);
    expect(await server.report(1), goes).toMatchObject(taken);
    expect(await enrol(ownersToken, "i-own"), goes).toMatchObject(taken);
  }
});

test("a member whose role no longer lets them connect servers loses their tokens, and one whose role does keeps them", async () => {
  const { member, ask, change } = await teamWithMember();
  const token = await ask(member);
  await change({ intent: "role", role: "admin" });
  expect(await enrol(token, "i-first")).toMatchObject(taken);
  await change({ intent: "role", role: "viewer" });
  expect(await enrol(token, "i-second")).toMatchObject(revoked);
});

testInProof(
  "what was lost when somebody left or lost the right is made up for within an hour",
  async () => {
    for (const change of [
      "update public.members set role = 'billing'",
      "delete from public.members",
    ]) {
      const { owner, member, ask } = await teamWithMember();
      const [ownersToken, theirs] = [await ask(owner), await ask(member)];
      const of = [owner.workspace, member.userId];
      await runSql(`${change} where workspace_id = $1 and user_id = $2`, of);
      // Until now it may be newer than the list of members.
      await updateFleets(worker);
      expect(await enrol(theirs, "i-first"), change).toMatchObject(taken);
      await worker.moveFleetClock(owner.workspace, 11 * minute);
      await updateFleets(worker);
      expect(await enrol(theirs, "i-second"), change).toMatchObject(revoked);
      expect(await enrol(ownersToken, "i-own"), change).toMatchObject(taken);
    }
  },
);

testInProof(
  "all tokens of a deployment are revoked by its page, which says how many there are; servers go on",
  async () => {
    const { browser, page, deployment, askForToken, connect } = await serverCustomer(worker, "pro");
    const button = "Revoke all tokens";
    expect(await textAt(browser, page)).not.toContain(button);
    const server = await connect("i-first");
    // That token is used up.
    expect(await textAt(browser, page)).not.toContain(button);
    const [one, other] = [await askForToken("1"), await askForToken("3")];
    const shown = await textAt(browser, page);
    expect(shown).toContain(button);
    expect(shown).toContain("2 tokens can still connect machines, until");
    const answer = await browser.post(page, { intent: "revoke-tokens" });
    expect(answer.status).toBe(200);
    const after = textOfHtml(await answer.text());
    expect(after).toContain("All tokens are revoked. Connected servers report on.");
    expect(after).not.toContain(button);
    for (const { token } of [one, other])
      expect(await enrol(token, "i-next")).toMatchObject(revoked);
    expect(await server.report(1)).toMatchObject(taken);
    const noted = await runSql(
      "select target_id from public.audit_log where action = 'server.tokens-revoked'",
    );
    expect(noted).toEqual([{ target_id: deployment }]);
    expect(await enrol((await askForToken()).token, "i-next")).toMatchObject(taken);
  },
);

testInProof(
  "who may not connect servers is shown no way to revoke tokens, and is refused",
  async () => {
    const { owner, member, page, ask, change } = await teamWithMember("viewer");
    const token = await ask(owner);
    for (const role of ["viewer", "billing"]) {
      await change({ intent: "role", role });
      expect(await textAt(member.browser, page), role).not.toContain("Revoke all tokens");
      const refused = await member.browser.post(page, { intent: "revoke-tokens" });
      expect(refused.status, role).toBe(403);
    }
    expect(await enrol(token, "i-first")).toMatchObject(taken);
  },
);
