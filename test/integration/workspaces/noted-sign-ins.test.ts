import { beforeEach, expect, test } from "vitest";
import { giveSecondFactor, setUpSecondFactor, setUpWithCodes } from "../../support/auth/account.ts";
import { payOnHostedPage } from "../../support/billing/stripe-account.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes, runSql, settledStripeEvents } from "../../support/site/control-fakes.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";
import {
  addMember,
  newWorkspace,
  personalWorkspace,
  type StoredWorkspace,
} from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const faultySite = siteWithFaults();

let team: StoredWorkspace;

beforeEach(async () => {
  await resetFakes();
  await signedIn(ada);
  await signedIn(ben);
  team = await newWorkspace(ada, "blue-team");
});

type Line = { workspace_id: string; actor_address: string; network: string };

const noted = (action = "session.began") =>
  runSql<Line>(
    `select workspace_id, actor_address, network from public.audit_log
     where action = $1 order by id`,
    [action],
  );

const networkOf = ({ address }: Visitor) => `${address.split(":").slice(0, 3).join(":")}::/48`;

test("a sign-in is noted in each workspace that the person shares, and in none where they are alone", async () => {
  await newWorkspace(ben, "bens-own");
  await addMember(team, ben, "viewer");
  const member = await signedIn(ben);
  const lines = await pollUntil(
    () => noted(),
    ({ length }) => length > 0,
  );
  expect(lines).toEqual([
    { workspace_id: team.id, actor_address: ben, network: networkOf(member) },
  ]);
});

testInProof(
  "with a second factor it is noted once that was given, by a code of the app or a recovery code",
  async () => {
    await addMember(team, ben, "viewer");
    const { secret, codes } = await setUpWithCodes(await signedIn(ben));
    await pollUntil(
      () => noted(),
      ({ length }) => length === 1,
    );
    const member = await signedIn(ben);
    const wrong = await member.post("/dashboard/account/code", { code: "000000", next: "/" });
    expect(wrong.status).toBe(400);
    // Had the sign-in or the wrong code been noted, that line would come before this one.
    await signedIn(ada);
    await pollUntil(
      () => noted(),
      (lines) => lines.some(({ actor_address }) => actor_address === ada),
    );
    expect(await noted()).toHaveLength(2);
    expect((await giveSecondFactor(member, secret, "/dashboard")).status).toBe(303);
    await pollUntil(
      () => noted(),
      ({ length }) => length === 3,
    );
    const lost = await signedIn(ben);
    await lost.post("/dashboard/account/code", { recovery: codes[0] ?? "", next: "/" });
    await pollUntil(
      () => noted(),
      ({ length }) => length === 4,
    );
  },
);

test("no sign-in fails where the line cannot be written", async () => {
  await addMember(team, ben, "viewer");
  await runSql("alter table public.audit_log add constraint no_more check (false) not valid");
  let member: Visitor;
  try {
    member = await signedIn(ben);
  } finally {
    await runSql("alter table public.audit_log drop constraint no_more");
  }
  expect((await member.request("/dashboard/w/blue-team")).status).toBe(200);
  expect(await noted()).toEqual([]);
});

testInProof("nobody who gives a second factor waits for the line", async () => {
  await addMember(team, ben, "viewer");
  const secret = await setUpSecondFactor(await signedIn(ben));
  const site = faultySite();
  const requested = Promise.withResolvers<void>();
  const held = Promise.withResolvers<"cut off">();
  site.supabaseProxy.behave(async ({ path }, forward) => {
    if (!path.startsWith("/rest/v1/rpc/note_sign_in")) return forward();
    requested.resolve();
    return held.promise;
  });
  const member = await signedIn(ben, site.url);
  const given = await giveSecondFactor(member, secret, "/dashboard");
  expect(given.headers.get("location")).toBe("/dashboard");
  await requested.promise;
  // It was not given up either: the sign-in is over while the database still thinks.
  expect(site.everyLogLine().join("\n")).not.toContain("A sign-in was not noted");
  held.resolve("cut off");
  expect(await site.logged({ message: "A sign-in was not noted" })).toHaveLength(1);
  expect((await member.request("/dashboard/w/blue-team")).status).toBe(200);
});

testInProof(
  "a guest's purchase that somebody takes over with their sign-in is noted with their network",
  async () => {
    const start = await new Visitor().post("/pricing", { plan: "pro" });
    await payOnHostedPage(start.headers.get("location") ?? "", { email: ben });
    await settledStripeEvents();
    const member = await signedIn(ben);
    const { id } = await personalWorkspace(ben);
    expect(
      (await noted("purchase.claimed")).map(({ workspace_id, network }) => [workspace_id, network]),
    ).toEqual([[id, networkOf(member)]]);
  },
);

testInProof(
  "the deletion of a workspace leaves one line in the Worker's log, with ids and no name",
  async () => {
    const site = faultySite();
    const owner = await signedIn(ada, site.url);
    const path = "/dashboard/w/blue-team/settings";
    const wrong = await owner.post(path, { intent: "delete", confirmation: "another" });
    expect(wrong.status).toBe(400);
    const done = await owner.post(path, { intent: "delete", confirmation: "blue-team" });
    expect(done.headers.get("location")).toBe("/dashboard?notice=workspace-deleted");
    const [{ id } = {}] = await runSql<{ id: string }>(
      "select id from auth.users where email = $1",
      [ada],
    );
    expect(await site.logged({ message: "A workspace was deleted" })).toEqual([
      expect.objectContaining({ level: "info", workspace: team.id, by: id }),
    ]);
    expect(site.everyLogLine().join("\n")).not.toMatch(/blue-team|customer\.one/);
  },
);
