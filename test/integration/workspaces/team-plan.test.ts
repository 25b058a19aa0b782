import { beforeEach, expect, test } from "vitest";
import { payOnHostedPage, sessionRequests } from "../../support/billing/stripe-account.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt } from "../../support/site/page-text.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import {
  addMember,
  newWorkspace,
  type StoredWorkspace,
} from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const base = "/dashboard/w/blue-team";

let owner: Visitor;
let team: StoredWorkspace;

beforeEach(async () => {
  await resetFakes();
  owner = await signedIn(ada);
  team = await newWorkspace(ada, "blue-team");
});

test("a plan that is chosen on a team's pages is the team's, and Stripe leads back there", async () => {
  expect(await (await owner.request(base)).text()).toContain(`href="${base}/plan"`);
  const page = await textAt(owner, `${base}/plan`);
  expect(page).toContain("Buy Basic");
  expect(page).toContain("Buy Pro");
  const bought = await owner.post(`${base}/plan`, { intent: "buy", plan: "pro" });
  expect(bought.status).toBe(303);
  const [session] = await sessionRequests();
  expect(session?.params).toMatchObject({
    cancel_url: expect.stringMatching(/\/dashboard\/w\/blue-team\/plan$/),
  });
  const { pathname, search } = await payOnHostedPage(bought.headers.get("location") ?? "");
  const thanks = await (await owner.request(pathname + search)).text();
  expect(thanks).toContain("Payment Successful!");
  expect(thanks).toContain(`href="${base}"`);
  expect(await textAt(owner, base)).toContain("$999.99");
  expect(await textAt(owner, "/dashboard")).toContain("No plan yet");
});

test.each(sample(["operator", "viewer"], 1))(
  "a member with the role %s reads who chooses the plan, and buys none",
  async (role) => {
    const member = await signedIn(ben);
    await addMember(team, ben, role);
    const overview = await textAt(member, base);
    expect(overview).toContain(
      `Your role in this workspace is ${role}. This is for owners, admins`,
    );
    expect(overview).not.toContain("Choose a plan");
    const refused = await member.post(`${base}/plan`, { intent: "buy", plan: "pro" });
    expect(refused.status).toBe(403);
    expect(await sessionRequests()).toEqual([]);
  },
);

testInProof(
  "an address that names no workspace leads from the success page to the person's own",
  async () => {
    const page = await (await owner.request("/success?workspace=%2F%2Fevil.example")).text();
    expect(page).toContain('href="/dashboard"');
    expect(page).not.toContain("evil.example");
  },
);
