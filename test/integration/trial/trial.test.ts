import { afterEach, beforeAll, expect, test } from "vitest";
import {
  endTrialWords,
  needsAccount,
  trialBanner,
  trialNeedsAccount,
  trialRefusals,
} from "../../../app/content/trial.ts";
import { pageFields } from "../../../scripts/lib/page-forms.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { userIdOf } from "../../support/database/database.ts";
import { refuseAtAuthServer, resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { inTrial, trialOf } from "../../support/trial/begin-trial.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
afterEach(resetFakes);

const minute = 60_000;
const textOf = async (visitor: Visitor, path: string) => (await visitor.request(path)).text();

async function stopped() {
  // Otherwise the first boot of a trial could be over before its clock is stopped.
  const visitor = await worker.withStoppedFleets(() => inTrial(worker.url));
  const { workspace } = await trialOf();
  await worker.stopFleetClock(workspace);
  const fleets = await worker.fleets();
  const stateOf = async (name: string) =>
    (await fleets.overview(workspace)).servers.find((each) => each.name === name);
  return { visitor, workspace, fleets, stateOf };
}

test("one press opens a marked workspace with a server that is healthy, one that boots and one that is down", async () => {
  const { visitor, workspace, stateOf } = await stopped();
  const page = await textOf(visitor, "/dashboard");
  expect(page).toContain(trialBanner.lasts);
  expect((await stateOf("sfu-frankfurt-1"))?.state.code).toBe("healthy");
  expect((await stateOf("sfu-frankfurt-2"))?.state.code).toBe("down");
  expect((await stateOf("staging-1"))?.state.code).toBe("booting");
  await worker.moveFleetClock(workspace, 40_000);
  expect((await stateOf("staging-1"))?.state.code).toBe("healthy");
  expect((await stateOf("staging-1"))?.stages.length).toBe(7);
  for (const name of ["sfu-frankfurt-1", "sfu-frankfurt-2", "staging-1"]) {
    expect(page).toContain(name);
  }
});

test("its healthy server has sessions, with hashes for names: those of now, and one in which a connection broke off", async () => {
  const { visitor, workspace, fleets, stateOf } = await stopped();
  const healthy = await stateOf("sfu-frankfurt-1");
  const { sessions = [], days } = (await fleets.sessions(workspace, healthy?.id ?? "", {})) ?? {};
  expect(sessions.length).toBeGreaterThan(8);
  for (const { name } of sessions) expect(name).toMatch(/^[0-9a-f]{12}$/);
  expect(sessions.reduce((sum, { present }) => sum + present, 0)).toBeGreaterThan(10);
  expect(days?.length).toBeGreaterThan(1);
  const overview = await textOf(visitor, `/dashboard/servers/${healthy?.id}`);
  expect(overview).toContain("This server is simulated, so nothing checks it.");
  expect(overview).not.toContain("Check now");
  const broken = sessions.find(({ aborted }) => aborted > 0);
  const page = `/dashboard/servers/${healthy?.id}/sessions`;
  expect(await textOf(visitor, page)).toContain(", 1 not through");
  const text = await textOf(visitor, `${page}/${broken?.sid}`);
  expect(text).toContain("left: the signal connection broke off");
  expect(text).toContain("did not get through: the media connection timed out");
});

test("in two of its sessions an agent spoke, whose turns and tools are on the timeline", async () => {
  const { visitor, workspace, fleets, stateOf } = await stopped();
  const healthy = await stateOf("sfu-frankfurt-1");
  const { sessions = [] } = (await fleets.sessions(workspace, healthy?.id ?? "", {})) ?? {};
  const read = await Promise.all(
    sessions.map(({ sid }) => fleets.session(workspace, healthy?.id ?? "", sid)),
  );
  const spoken = read.flatMap((page) => (page && page.agents.length > 0 ? [page.session.sid] : []));
  expect(spoken).toHaveLength(2);
  const text = await textOf(visitor, `/dashboard/servers/${healthy?.id}/sessions/${spoken[0]}`);
  expect(text).toContain("Tool change_booking failed");
  expect(text).toContain(", and was interrupted");
});

test("the incident of the server that is down is acknowledged by its form", async () => {
  const { visitor, stateOf } = await stopped();
  const down = await stateOf("sfu-frankfurt-2");
  const incident = down?.incident?.id ?? "";
  const pressed = await visitor.post(`/dashboard/servers/${down?.id}`, {
    ...{ intent: "acknowledge", incident },
  });
  expect(pressed.status).toBe(303);
  expect((await stateOf("sfu-frankfurt-2"))?.incident?.acknowledged).toBeDefined();
});

test("a second press in the same browser leads back to the same trial, and somebody signed in to their dashboard", async () => {
  const visitor = await inTrial(worker.url);
  const first = await trialOf();
  const again = await visitor.post("/try", {});
  expect([again.status, again.headers.get("location")]).toEqual([303, "/dashboard"]);
  expect(await trialOf()).toEqual(first);
  const customer = new Visitor(worker.url);
  await customer.signInWithGoogle();
  const led = await customer.post("/try", {});
  expect([led.status, led.headers.get("location")]).toEqual([303, "/dashboard"]);
  expect(await textOf(customer, "/dashboard")).not.toContain(trialBanner.lasts);
  expect(await runSql("select from public.trials")).toHaveLength(1);
});

async function begin(from: string) {
  const answer = await new Visitor(worker.url, from).post("/try", {});
  return { status: answer.status, text: await answer.text() };
}

const countsOf = (kind: string) =>
  runSql("select kind, tries from public.code_tries where kind like $1 order by kind", [
    `${kind} %`,
  ]);

/** Uses up a limit of this hour, and of the next, which may begin before the test ends. */
async function exhaust(kind: string, most: number) {
  await runSql("update public.code_tries set tries = $2 where kind like $1", [`${kind} %`, most]);
  await runSql(
    `insert into public.code_tries (subject_hash, kind, tries, since)
     select subject_hash, $1 || ' ' || (split_part(kind, ' ', 2)::int + 1), tries, now()
     from public.code_tries where kind like $1 || ' %' on conflict do nothing`,
    [kind],
  );
}

test("a network begins five trials an hour, and everybody together three hundred", async () => {
  const address = "192.0.2.77";
  for (let nth = 1; nth <= 5; nth += 1) expect((await begin(address)).status).toBe(303);
  const sixth = await begin(address);
  expect(sixth.status).toBe(429);
  expect(sixth.text).toContain(trialRefusals.limit);
  await exhaust("trial-all", 300);
  const other = await begin("198.51.100.7");
  expect(other.status).toBe(429);
  expect(other.text).toContain(trialRefusals.busy);
});

test("no /16 and no /32 uses up what is for everybody, and an hour that is over is forgotten", async () => {
  for (const [address, sameBlock, another] of [
    ["192.0.2.77", "192.0.113.7", "198.51.100.7"],
    ["3fff:1:2:3::1", "3fff:1:ffff::1", "3fff:2:2:3::1"],
  ] as const) {
    expect((await begin(address)).status).toBe(303);
    await exhaust("trial-allotment", 60);
    const before = await countsOf("trial-all");
    const refused = await begin(sameBlock);
    expect([refused.status, refused.text.includes(trialRefusals.limit)]).toEqual([429, true]);
    expect(await countsOf("trial-all")).toEqual(before);
    expect((await begin(another)).status).toBe(303);
    await runSql(
      `update public.code_tries set kind = 'trial-allotment ' || (split_part(kind, ' ', 2)::int - 2)
       where kind like 'trial-allotment %'`,
    );
    expect((await begin(sameBlock)).status).toBe(303);
    await runSql("delete from public.code_tries where kind like 'trial%'");
  }
});

test.each([
  [422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled", 503, "unavailable"],
  [400, "captcha_failed", "captcha verification process failed", 503, "unavailable"],
  [429, "over_request_rate_limit", "Request rate limit reached", 429, "limit"],
] as const)(
  "what the auth server refuses with %i %s is said, and leaves nothing",
  async (status, error_code, msg, answered, why) => {
    await refuseAtAuthServer({ path: "/auth/v1/signup", method: "POST", status, error_code, msg });
    const visitor = new Visitor(worker.url);
    const answer = await visitor.post("/try", {});
    expect(answer.status).toBe(answered);
    expect(answer.headers.get("cache-control")).toContain("no-store");
    const page = await answer.text();
    expect(page).toContain(trialRefusals[why]);
    expect(page).toContain('href="/signup"');
    expect(await runSql("select from auth.users")).toEqual([]);
    expect(worker.takeLogs().map(({ code }) => code)).toContain(error_code);
  },
);

test("whoever wants to buy from a trial is led to sign up, and then to the plan that they chose; public pages offer that", async () => {
  const visitor = await inTrial(worker.url);
  // By this value scripts show what they show visitors: test/unit/security/host-cookies.test.ts.
  expect(visitor.cookies.get("signed-in")).toBe("trial");
  const pressed = await visitor.post("/pricing", { plan: "pro" });
  const location = pressed.headers.get("location") ?? "";
  expect([pressed.status, location]).toEqual([
    ...[303, "/signin?next=%2Fpricing%3Fplan%3Dpro#auth-sign-up"],
  ]);
  const signUp = await textOf(visitor, location);
  expect(signUp).toContain('id="auth-sign-up"');
  expect(signUp).toContain('name="next" value="/pricing?plan=pro"');
  await visitor.signInWithGoogle();
  expect(visitor.cookies.get("signed-in")).toBe("1");
  expect((await visitor.post("/pricing", { plan: "pro" })).headers.get("location")).toMatch(
    /^http/,
  );
});

test("who signs up in the same browser keeps what they described, and the trial is gone", async () => {
  const visitor = await inTrial(worker.url);
  const { person, workspace } = await trialOf();
  const made = await visitor.post("/dashboard/deployments/new", {
    ...{ name: "Mine", domain: "live.mycompany.com", email: "me@mycompany.com" },
  });
  expect(made.headers.get("location")).toMatch(/\/edit/);
  await visitor.signInWithGoogle();
  const account = await userIdOf("customer.one@example.com");
  const rows = await runSql<{ name: string; user_id: string; workspace_id: string }>(
    "select name, user_id, workspace_id from public.deployments",
  );
  expect(rows).toEqual([{ name: "Mine", user_id: account, workspace_id: account }]);
  expect(await runSql("select from auth.users where id = $1", [person])).toEqual([]);
  await worker.runScheduled();
  expect((await (await worker.fleets()).overview(workspace)).servers).toEqual([]);
  expect(await textOf(visitor, "/dashboard/deployments")).toContain("Mine");
});

test("so it is with an address and a password, whose link is pressed in the same browser", async () => {
  const visitor = await inTrial(worker.url);
  await visitor.post("/dashboard/deployments/new", {
    ...{ name: "Mine", domain: "live.mycompany.com", email: "me@mycompany.com" },
  });
  // The pages of the sign-in are those of somebody signed out.
  expect(await textOf(visitor, "/signin")).toContain("Sign in");
  const email = "newcomer@example.com";
  const password = "a long enough phrase of mine";
  await visitor.post("/signin", { intent: "sign_up", email, password });
  const [mail] = await mailsTo(email);
  const link = /https?:\/\/\S+\/auth\/confirm\?\S+/.exec(mail?.text ?? "")?.[0] ?? "";
  const path = link.replace(/^https?:\/\/[^/]+/, "");
  const page = await textOf(visitor, path);
  const { values } = pageFields(page);
  const pressed = await visitor.post(path, values);
  expect(pressed.status).toBeLessThan(400);
  const account = await userIdOf(email);
  expect(await runSql("select name, user_id from public.deployments")).toEqual([
    { name: "Mine", user_id: account },
  ]);
  expect(await runSql("select from public.trials")).toEqual([]);
});

test("whoever signs in later in that browser, without the trial's session, is given nothing of it", async () => {
  const visitor = await inTrial(worker.url);
  const { person } = await trialOf();
  await visitor.post("/dashboard/deployments/new", {
    ...{ name: "Mine", domain: "live.mycompany.com", email: "me@mycompany.com" },
  });
  const later = new Visitor(worker.url);
  later.setCookie("last-account", visitor.cookies.get("last-account") ?? "none");
  await later.signInWithGoogle();
  // Nor with the next tokens of that session.
  later.expireSession();
  expect((await later.request("/dashboard")).status).toBe(200);
  expect(await runSql("select user_id from public.deployments where name = 'Mine'")).toEqual([
    { user_id: person },
  ]);
  expect(await runSql("select from public.trials")).toHaveLength(1);
});

test("signing out of a trial says first that it is lost, and does it at the second press", async () => {
  const visitor = await inTrial(worker.url);
  const question = await visitor.post("/signout", { next: "/pricing" });
  expect([question.status, question.headers.get("location")]).toEqual([
    303,
    "/signout/trial?next=%2Fpricing",
  ]);
  const again = await visitor.post("/dashboard/account", { intent: "sign_in_again" });
  expect(again.headers.get("location")).toBe("/signout/trial");
  const page = await (await visitor.request("/signout/trial?next=%2Fpricing")).text();
  expect(page).toContain(endTrialWords.says);
  expect((await visitor.request("/dashboard")).status).toBe(200);
  const left = await visitor.post("/signout", pageFields(page).values);
  expect(left.headers.get("location")).toBe("/signin?next=%2Fpricing");
  expect((await visitor.request("/dashboard")).status).toBe(302);
  // Nobody else is asked.
  const customer = new Visitor(worker.url);
  await customer.signInWithGoogle();
  expect((await customer.request("/signout/trial")).headers.get("location")).toBe("/");
  expect((await customer.post("/signout", {})).headers.get("location")).toBe("/");
});

test("a deployment that the trial came with is kept once it was changed, and what was typed and not saved too", async () => {
  const visitor = await inTrial(worker.url);
  await runSql("update public.deployments set version = 2 where name = 'Staging'");
  const { person, workspace } = await trialOf();
  await runSql(
    `insert into public.unsaved_changes (user_id, workspace_id, changes) values ($1, $2, '{"domain": {}}')`,
    [person, workspace],
  );
  await visitor.signInWithGoogle();
  expect(await runSql("select name from public.deployments")).toEqual([{ name: "Staging" }]);
  expect(await runSql("select user_id from public.unsaved_changes")).toEqual([
    { user_id: await userIdOf("customer.one@example.com") },
  ]);
});

test("an account with a second factor is given nothing before that was given", async () => {
  const owner = new Visitor(worker.url);
  await owner.signInWithGoogle();
  const account = await userIdOf("customer.one@example.com");
  await runSql(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
     values (gen_random_uuid(), $1, 'phone', 'totp', 'verified', 'x', now(), now())`,
    [account],
  );
  const visitor = await inTrial(worker.url);
  await visitor.post("/dashboard/deployments/new", {
    ...{ name: "Mine", domain: "live.mycompany.com", email: "me@mycompany.com" },
  });
  await visitor.signInWithGoogle();
  const page = await visitor.request("/dashboard");
  expect(page.headers.get("location")).toContain("/dashboard/account/code");
  expect(await runSql("select from public.deployments where user_id = $1", [account])).toEqual([]);
  expect(await runSql("select from public.trials")).toHaveLength(1);
  // The factor is gone, as if it had been given: the next tokens of the session bring what was described.
  await runSql("delete from auth.mfa_factors");
  visitor.expireSession();
  expect((await visitor.request("/dashboard")).status).toBe(200);
  expect(await runSql("select name from public.deployments where user_id = $1", [account])).toEqual(
    [{ name: "Mine" }],
  );
});

test("a day later the account, its workspace and its fleet are gone", async () => {
  const { workspace, fleets, stateOf } = await stopped();
  const healthy = (await stateOf("sfu-frankfurt-1"))?.id ?? "";
  expect((await fleets.sessions(workspace, healthy, {}))?.sessions).not.toEqual([]);
  const history = await worker.historyOf(healthy);
  expect((await history.sessions({})).sessions).not.toEqual([]);
  await worker.moveFleetClock(workspace, 25 * 60 * minute);
  expect((await fleets.overview(workspace)).servers).toEqual([]);
  expect(await history.sessions({})).toEqual({ sessions: [], days: [] });
  await runSql("update public.trials set ends_at = now() - interval '1 second'");
  await worker.runScheduled(Date.UTC(2027, 0, 1, 0, 7));
  for (const table of ["auth.users", "public.workspaces", "public.deployments", "public.trials"]) {
    expect(await runSql(`select from ${table}`), table).toEqual([]);
  }
  await worker.runScheduled();
  expect(await runSql("select from public.fleets")).toEqual([]);
});

test("while its end cannot be read a trial is marked all the same, and what needs an account is switched off", async () => {
  const visitor = await inTrial(worker.url);
  await runSql("alter function public.my_trial() rename to my_trial_of_another_day");
  try {
    const page = await textOf(visitor, "/dashboard/alerts");
    expect(page).toContain(trialBanner.lasts);
    expect(page).not.toContain(trialBanner.ends);
    expect(page).toContain(trialNeedsAccount);
    expect(page).toContain('<fieldset disabled=""');
  } finally {
    await runSql("alter function public.my_trial_of_another_day() rename to my_trial");
  }
});

test("in a trial no machine is connected: its page makes no command, and a post is refused with the way to an account", async () => {
  const visitor = await inTrial(worker.url);
  expect(await textOf(visitor, "/dashboard/servers/connect")).toContain(trialNeedsAccount);
  const refused = await visitor.post("/dashboard/servers/connect", {
    intent: "connect",
    name: "sfu-1",
  });
  expect(refused.status).toBe(403);
  const page = await refused.text();
  expect(page).toContain(needsAccount);
  expect(page).not.toMatch(/lkd_e_\w{90,}/);
});

test("pages without use in a trial say so, and their forms are switched off", async () => {
  const visitor = await inTrial(worker.url);
  for (const path of ["alerts", "members", "settings", "models", "support", "account"]) {
    const page = await textOf(visitor, `/dashboard/${path}`);
    expect(page, path).toContain(trialNeedsAccount);
    expect(page, path).toContain('<fieldset disabled=""');
  }
  for (const path of ["", "/deployments", "/incidents"]) {
    expect(await textOf(visitor, `/dashboard${path}`)).not.toContain('<fieldset disabled=""');
  }
});
