import { beforeEach, expect, test } from "vitest";
import { receivedWrites } from "../../support/billing/stripe-account.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt } from "../../support/site/page-text.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import { addMember, personalWorkspace } from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];

/** Where the pages of Ada's workspace are, which has the plan Pro. */
let base: string;

beforeEach(async () => {
  await resetFakes();
  await customer("pro", ada);
  base = `/dashboard/w/${(await personalWorkspace(ada)).slug}`;
});

async function member(role: string): Promise<Visitor> {
  const visitor = await signedIn(ben);
  await addMember(await personalWorkspace(ada), ben, role);
  return visitor;
}

const server = { name: "Production", domain: "rtc.mycompany.com", email: "ops@mycompany.com" };

/** The portal's pages at Stripe that were opened. */
const portals = async () =>
  (await receivedWrites()).filter(({ path }) => path === "/v1/billing_portal/sessions").length;

testInProof.each(["operator", "viewer"])(
  "a member with the role %s sees which plan the workspace has, and no price, card or address",
  async (role) => {
    const visitor = await member(role);
    const overview = await textAt(visitor, base);
    expect(overview).toContain("Pro This is the plan of the workspace.");
    expect(overview).not.toContain("No plan yet");
    for (const path of ["", "/billing", "/plan", "/deployments"]) {
      const page = await visitor.request(base + path);
      const html = await page.text();
      expect(page.status, path).toBe(200);
      // Also not in the data that scripts get.
      expect(html, path).not.toMatch(/4242|999\.99|99999|cus_|sub_|customer\.one/);
    }
    const before = await portals();
    const portal = await visitor.post(`${base}/billing`, { from: "billing" });
    expect(portal.headers.get("location")).toBe(`${base}?notice=not-allowed`);
    expect(await portals()).toBe(before);
  },
);

test("a member who does the billing sees price and card, and opens the portal", async () => {
  const visitor = await member("billing");
  expect(await textAt(visitor, base)).toContain("$999.99");
  expect(await textAt(visitor, `${base}/billing`)).toContain("Visa ending in 4242");
  const before = await portals();
  const portal = await visitor.post(`${base}/billing`, { from: "billing" });
  expect([portal.status, await portals()]).toEqual([303, before + 1]);
});

testInProof(
  "a plan lets members work in its workspace, and gives them nothing in their own",
  async () => {
    const visitor = await member("operator");
    expect((await visitor.post("/dashboard/deployments/new", server)).status).toBe(403);
    const made = await visitor.post(`${base}/deployments/new`, server);
    expect(made.headers.get("location")).toContain(`${base}/deployments/`);
    expect(await textAt(visitor, "/dashboard")).toContain("No plan yet");
    expect(await (await visitor.request("/pricing/own")).json()).toEqual({ plan: null });
  },
);
