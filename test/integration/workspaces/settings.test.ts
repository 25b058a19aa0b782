import { beforeEach, expect, test } from "vitest";
import { buyForTeam } from "../../support/billing/hosted-pages.ts";
import { stripe } from "../../support/billing/stripe-account.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { signedIn } from "../../support/site/visitor.ts";
import { addMember, newWorkspace } from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const base = "/dashboard/w/blue-team";

beforeEach(resetFakes);

/** What Stripe says of every subscription there ever was. */
async function planStates(): Promise<string[]> {
  const { data } = await stripe.subscriptions.list({ status: "all" });
  return data.map(({ status }) => status);
}

test("a workspace is deleted by its exact name, and Stripe charges its plan no more", async () => {
  const owner = await signedIn(ada);
  await newWorkspace(ada, "blue-team");
  await buyForTeam(owner, base, "pro");
  const remove = (confirmation: string) =>
    owner.post(`${base}/settings`, { intent: "delete", confirmation });
  expect((await remove("blue")).status).toBe(400);
  expect(await planStates()).toEqual(["active"]);
  expect((await remove("blue-team")).status).toBe(303);
  expect(await planStates()).toEqual(["canceled"]);
  expect((await owner.request(base)).status).toBe(404);
});

test("a workspace is handed over to a member by their address, at the second press alone", async () => {
  const owner = await signedIn(ada);
  await signedIn(ben);
  const team = await newWorkspace(ada, "blue-team");
  await addMember(team, ben, "operator");
  const handOver = (address: string, sure = {}) =>
    owner.post(`${base}/settings`, { intent: "hand-over", address, ...sure });
  const roles = async () =>
    (
      await runSql<{ role: string }>(
        `select members.role from public.members join auth.users on id = user_id
         where workspace_id = $1 order by email`,
        [team.id],
      )
    ).map(({ role }) => role);
  const sure = { sure: "yes" };
  expect((await handOver("stranger@example.com", sure)).status).toBeGreaterThanOrEqual(400);
  expect((await handOver(ben)).status).toBe(200);
  expect(await roles()).toEqual(["owner", "operator"]);
  await handOver(ben, sure);
  expect(await roles()).toEqual(["admin", "owner"]);
});

test("a second factor of all is not asked for by an owner who has none, and the page says why", async () => {
  const owner = await signedIn(ada);
  await newWorkspace(ada, "blue-team");
  const answer = await owner.post(`${base}/settings`, { intent: "factor", wanted: "yes" });
  expect(answer.status).toBe(409);
  const text = textOfHtml(await answer.text());
  expect(text).toContain("Set up a second factor for yourself first");
  expect(await runSql("select slug from public.workspaces where needs_second_factor")).toEqual([]);
});
