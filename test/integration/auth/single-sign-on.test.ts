import { beforeEach, expect, test } from "vitest";
import { signInFailures } from "../../../app/content/sign-in-labels.ts";
import { alertIn } from "../../support/auth/account.ts";
import { userIdOf } from "../../support/database/database.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";
import {
  connectedWorkspace,
  nameWorkAddress,
  rolesIn,
  signInBySso,
} from "../../support/workspaces/single-sign-on.ts";
import { addMember } from "../../support/workspaces/workspaces.ts";

const owner = "customer.one@example.com";
const ada = "ada@okapi.example";

beforeEach(resetFakes);

async function connected(...domains: string[]) {
  const founder = await signedIn(owner);
  const names = domains.length > 0 ? domains : ["okapi.example"];
  return { founder, team: await connectedWorkspace(owner, "okapi-team", names) };
}

/** Posts the form of single sign-on on the settings page. */
async function change(visitor: Visitor, act: string, value = "", sure = "yes") {
  const response = await visitor.post("/dashboard/w/okapi-team/settings", {
    intent: "sso",
    act,
    value,
    sure,
  });
  return {
    status: response.status,
    location: response.headers.get("location"),
    alert: alertIn(await response.text()),
  };
}

test("sso: somebody with an address of a verified domain signs in and is a viewer", async () => {
  const { team } = await connected();
  const { page } = await nameWorkAddress(new Visitor(), ada);
  expect(page).toContain("Continue at 127.0.0.1");
  const { visitor, location } = await signInBySso(ada);
  expect(location).toBe("/dashboard");
  expect(await rolesIn(team, ada)).toEqual([{ role: "viewer", is_sso_user: true }]);
  expect((await visitor.request("/dashboard/w/okapi-team")).status).toBe(200);
  await signInBySso(ada);
  expect(await rolesIn(team, ada)).toHaveLength(1);
  const stranger = await nameWorkAddress(new Visitor(), "eve@other.example");
  expect([stranger.status, alertIn(stranger.page)]).toEqual([404, signInFailures.ssoUnknown]);
});

test("sso: an address of no verified domain of the provider becomes nobody, and joins nothing", async () => {
  const { team } = await connected();
  const before = await runSql("select id from auth.users");
  const { visitor, address, location } = await signInBySso(ada, owner);
  // The database refuses the identity, so the auth server comes back with an error.
  expect(address.searchParams.get("error_code")).toBe("unexpected_failure");
  expect(location).not.toBe("/dashboard");
  expect((await visitor.request("/dashboard/account")).status).toBe(302);
  expect(await runSql("select id from auth.users")).toEqual(before);
  // The same where the identity was written while its domain was verified.
  const came = await signInBySso(ada);
  expect(came.location).toBe("/dashboard");
  await runSql("update public.sso_domains set verified_at = null");
  expect((await nameWorkAddress(new Visitor(), ada)).status).toBe(404);
  expect(await rolesIn(team, owner)).toEqual([{ role: "owner", is_sso_user: false }]);
});

test("sso: the account that somebody has with the same address stays apart, and theirs", async () => {
  const address = "customer.two@example.com";
  await signedIn(address);
  const { team } = await connected("example.com");
  await addMember(team, address, "operator");
  await signInBySso(address);
  expect(await rolesIn(team, address)).toEqual([
    { role: "operator", is_sso_user: false },
    { role: "viewer", is_sso_user: true },
  ]);
  const mine = await runSql("select provider from auth.identities where email = $1", [address]);
  expect(mine).toHaveLength(2);
});

test("sso: required, it excludes owners, who keep their way in", async () => {
  const { founder, team } = await connected("example.com");
  await signedIn("customer.two@example.com");
  await addMember(team, "customer.two@example.com", "operator");
  expect((await change(founder, "require")).location).toContain("done=sso");
  expect(await rolesIn(team, "customer.two@example.com")).toEqual([]);
  expect(await rolesIn(team, owner)).toEqual([{ role: "owner", is_sso_user: false }]);
  expect((await (await signedIn(owner)).request("/dashboard/w/okapi-team")).status).toBe(200);
  // Nobody of these domains joins beside it.
  await expect(addMember(team, "customer.two@example.com", "viewer")).rejects.toThrow();
  await signInBySso("customer.two@example.com");
  expect(await rolesIn(team, "customer.two@example.com")).toHaveLength(1);

  expect((await change(founder, "end")).location).toContain("done=sso");
  expect(await rolesIn(team, "customer.two@example.com")).toEqual([]);
  expect((await nameWorkAddress(new Visitor(), ada)).status).toBe(404);
});

test("sso: whom the owner removed does not come back by it alone, before an invitation", async () => {
  const founder = await customer("pro", owner);
  const team = await connectedWorkspace(owner, "okapi-team", ["okapi.example"]);
  const members = "/dashboard/w/okapi-team/members";
  await signInBySso(ada);
  const removed = await founder.post(members, { intent: "remove", person: await userIdOf(ada) });
  expect(removed.headers.get("location")).toContain("done=removed");
  expect((await signInBySso(ada)).location).toBe("/dashboard?notice=sso-removed");
  expect(await rolesIn(team, ada)).toEqual([]);
  // Nor as another account, which the provider makes with the same address.
  await runSql("delete from auth.users where email = $1", [ada]);
  await signInBySso(ada);
  expect(await rolesIn(team, ada)).toEqual([]);

  await founder.post(members, { intent: "invite", address: ada, role: "operator" });
  await signInBySso(ada);
  expect(await rolesIn(team, ada)).toEqual([{ role: "operator", is_sso_user: true }]);
  expect(await runSql("select from public.sso_removals")).toEqual([]);
});

testInProof("only an owner changes it, and only where it was offered", async () => {
  const { founder, team } = await connected();
  const admin = await signedIn("customer.two@example.com");
  await addMember(team, "customer.two@example.com", "admin");
  expect((await change(admin, "end")).status).toBe(403);
  await runSql("delete from public.sso_connections");
  expect((await change(founder, "add", "okapi.example")).status).toBe(400);
});
