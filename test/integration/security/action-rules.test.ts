import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { ageSignIn, setUpSecondFactor } from "../../support/auth/account.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import {
  type SiteWithFaults,
  sharedSiteWithFaults,
} from "../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { type ActionCase, actionCases, postTo } from "../../support/security/action-cases.ts";
import { resetFakes, signWithKeyPair } from "../../support/site/control-fakes.ts";
import { randomAddress } from "../../support/site/network-address.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

/** For the names of the tests; each finds a deployment of its own that is there. */
const noId = "00000000-0000-4000-8000-000000000000";
const cases = actionCases(noId);
const [owner, other] = ["customer.one@example.com", "customer.two@example.com"];

const named = (which: (each: ActionCase) => boolean): [string, ActionCase][] =>
  cases.filter(which).map((each) => [each.name, each]);
const forSignedIn = named(({ rule }) => rule.who === "user" || rule.who === "verified-user");
// Reports of browsers are counted by their own test.
const withLimit = named(
  ({ rule, path }) => Boolean(rule.limit ?? rule.countedInAction) && path !== "/csp-reports",
);
const forVerified = named(({ rule }) => rule.who === "visitor" || rule.who === "verified-user");

/** A site whose limits are one post in a minute, so that the second of anybody is over them. */
async function startStrictSite(supabaseUrl: string) {
  const path = "build/server/wrangler.strict.json";
  const configuration = JSON.parse(readFileSync("build/server/wrangler.json", "utf8"));
  for (const { simple } of configuration.ratelimits) simple.limit = 1;
  writeFileSync(path, JSON.stringify(configuration));
  return startOwnWorker(
    (siteUrl) => ({ ...exampleVariables({ siteUrl, portBase }), SUPABASE_URL: supabaseUrl }),
    path,
  );
}

let withoutSecondFactor: Visitor;
let signedInNow: Visitor;
let deployment: string;
let strict: RunningWorker;
let faultySite: SiteWithFaults;

/** Where this case posts to in this run. */
const here = (each: ActionCase): ActionCase => ({
  ...each,
  path: each.path.replace(noId, deployment),
});

beforeAll(async () => {
  await resetFakes();
  faultySite = await sharedSiteWithFaults();
  strict = await startStrictSite(faultySite.supabaseProxy.url);
  const first = await signedIn(owner);
  deployment = await storeDeployment(owner, fullOptions());
  await setUpSecondFactor(first);
  withoutSecondFactor = await signedIn(owner);
  signedInNow = await signedIn(other);
});
afterAll(() => strict?.[Symbol.asyncDispose]());

/** An answer in one line: where it leads, or its status and its words. */
async function summaryOf(response: Response): Promise<string> {
  const text = await response.text();
  // To a page's script a redirect comes as data.
  const location =
    response.status === 202
      ? /"redirect","([^"]+)"/.exec(text)?.[1]
      : response.headers.get("location");
  return location ? `leads to ${location}` : `${response.status}: ${text}`;
}

describe("who is signed out may not", () => {
  test.each(forSignedIn)("%s", async (_, each) => {
    const answer = await summaryOf(await postTo(new Visitor(), here(each), noId));
    const leads = !each.rule.answers || each.name === "/openai-config save";
    if (leads) expect(answer).toMatch(/^leads to \/signin\?next=/);
    else expect(answer).toMatch(/^401: .*Sign in to continue\./s);
  });
});

describe("who has a second factor and has not given it may not", () => {
  test.each(sample(forVerified, 8))("%s", async (_, each) => {
    const answer = await summaryOf(await postTo(withoutSecondFactor.twin(), here(each), noId));
    if (!each.rule.answers) expect(answer).toMatch(/^leads to \/dashboard\/account\/code\?next=/);
    else expect(answer).toMatch(/^403: .*Give the code of your second factor first/s);
  });
});

/** From now on the auth server says of everybody that they never confirmed an address. */
function unconfirmEverybody() {
  faultySite.supabaseProxy.behave(async ({ path }, forward) => {
    const answer = await forward();
    if (path !== "/auth/v1/user" || typeof answer === "string") return answer;
    const text = Buffer.from(answer.body).toString();
    return { ...answer, body: text.replaceAll('_confirmed_at"', '_unconfirmed_at"') };
  });
}

describe("who never confirmed an address may not", () => {
  test.each(sample(forVerified, 8))("%s", async (_, each) => {
    const visitor = signedInNow.twin(faultySite.url);
    unconfirmEverybody();
    const response = await postTo(visitor, here(each), noId);
    faultySite.recover();
    const page = await summaryOf(response);
    if (each.name === "/dashboard/billing")
      expect(page).toBe("leads to /dashboard?notice=unconfirmed");
    else if (each.path === "/signout") expect(page).toMatch(/notice=not-signed-out/);
    else if (each.name === "/signin update_password") expect(page).toMatch(/^403/);
    else expect(page).toMatch(/^403: .*Confirm your e-mail address first/s);
  });
});

describe("who signed in more than 15 minutes ago may not", () => {
  test.each(named(({ rule }) => rule.recent === true))("%s", async (_, each) => {
    const visitor = signedInNow.twin();
    ageSignIn(visitor, 16);
    const answer = await summaryOf(await postTo(visitor, here(each), noId));
    expect(answer).toMatch(
      /^403: .*Sign in again first: you last did so more than 15 minutes ago/s,
    );
  });

  test("by naming two intents, of which one asks for less", async () => {
    const visitor = signedInNow.twin();
    ageSignIn(visitor, 16);
    for (const intents of ["change_password delete", "delete change_password"]) {
      const body = new URLSearchParams(intents.split(" ").map((each) => ["intent", each]));
      body.append("confirmation", other);
      const response = await visitor.request("/dashboard/account.data", { method: "POST", body });
      // Whichever counts, it is the same to the guard and to the action.
      expect(await summaryOf(response)).toMatch(
        /^40[03]: .*(Sign in again first|Choose a password)/s,
      );
    }
    expect((await signedInNow.twin().request("/dashboard/account")).status).toBe(200);
  });

  test("and asking for that is for what gives a way in, takes one, or ends the account (N2)", () => {
    expect(named(({ rule }) => rule.recent === true).map(([name]) => name)).toEqual([
      "/openai-config/own create-token",
      "/dashboard/models create-token",
      "/dashboard/usage create-token",
      "/dashboard/members invite-admin",
      "/dashboard/members role",
      "/dashboard/members make-owner",
      "/dashboard/settings factor",
      "/dashboard/settings sso",
      "/dashboard/settings hand-over",
      "/dashboard/settings delete",
      "/dashboard/tokens make-token",
      "/dashboard/webhooks add-webhook",
      "/dashboard/webhooks change-webhook",
      "/dashboard/webhooks rotate-webhook",
      "/dashboard/approvers add-passkey",
      "/dashboard/approvers remove-passkey",
      "/dashboard/approvers approvals-needed",
      "/dashboard/account change_email",
      "/dashboard/account change_phone",
      "/dashboard/account finish_phone_change",
      "/dashboard/account link",
      "/dashboard/account unlink",
      "/dashboard/account enrol",
      "/dashboard/account enrol_phone",
      "/dashboard/account remove_factor",
      "/dashboard/account renew_codes",
      "/dashboard/account end_session",
      "/dashboard/account delete",
      "/dashboard/servers/connect connect",
    ]);
  });
});

describe("who asks too often waits a minute, at", () => {
  test.each(sample(withLimit, 8))("%s", async (_, each) => {
    const needsPerson = each.rule.who === "user" || each.rule.who === "verified-user";
    const visitor = needsPerson ? signedInNow.twin(strict.url) : new Visitor(strict.url);
    // A minute may end between two of them.
    let answer = "";
    for (let tries = 0; tries < 3 && !isRefusal(answer); tries++) {
      answer = await summaryOf(await postTo(visitor, here(each), noId));
    }
    if (each.name === "/dashboard/billing") expect(answer).toContain("notice=too-often");
    else if (each.path === "/signout") expect(answer).toContain("notice=not-signed-out");
    // The page of the contact form has the sentence itself.
    else if (each.name === "/contact") expect(answer).toMatch(/^429/);
    else expect(answer).toMatch(/^429: .*Too many attempts\. Please wait a minute/s);
  });
});

const caseOf = (name: string): ActionCase => {
  const found = cases.find((each) => each.name === name);
  if (!found) throw new Error(`No action is called ${name}`);
  return found;
};

describe("a refused post is counted too, where the limit is one in a minute:", () => {
  // Both count under the same limit, and a guest has nothing but an address to be counted by.
  const [forPerson, forGuest] = [caseOf("/dashboard/plan change"), caseOf("/pricing")];

  test.each([
    ["signed out", (address: string) => new Visitor(strict.url, address)],
    [
      "without the second factor",
      (address: string) => withoutSecondFactor.twin(strict.url, address),
    ],
    ["unconfirmed", (address: string) => signedInNow.twin(strict.url, address)],
  ] as const)("somebody %s uses up what their network has", async (why, visitorAt) => {
    if (why === "unconfirmed") unconfirmEverybody();
    // A minute may end between the two.
    let answer = "";
    for (let tries = 0; tries < 3 && !isRefusal(answer); tries++) {
      const address = randomAddress();
      const refused = await summaryOf(await postTo(visitorAt(address), forPerson, noId));
      expect(refused).toMatch(/^leads to \/(signin|dashboard\/account\/code)|^(403|429)/);
      answer = await summaryOf(await postTo(new Visitor(strict.url, address), forGuest, noId));
    }
    faultySite.recover();
    expect(answer).toMatch(/^429: .*Too many attempts/s);
  });

  testInProof(
    "somebody unconfirmed uses up what they have themselves, from whatever network",
    async () => {
      unconfirmEverybody();
      let answer = "";
      for (let tries = 0; tries < 3 && !isRefusal(answer); tries++) {
        answer = await summaryOf(await postTo(signedInNow.twin(strict.url), forPerson, noId));
      }
      faultySite.recover();
      expect(answer).toMatch(/^429: .*Too many attempts/s);
    },
  );

  testInProof.each([
    ["signed out", () => new Visitor(strict.url), "/signin?next=%2Fdashboard%2Fdeployments"],
    [
      "without the second factor",
      () => withoutSecondFactor.twin(strict.url),
      "/dashboard/account/code?next=%2Fdashboard%2Fdeployments",
    ],
  ] as const)(
    "who is %s sees no private page over the limit either",
    async (_, visitorOf, page) => {
      const visitor = visitorOf();
      for (let posts = 0; posts < 3; posts++) {
        const response = await visitor.post("/dashboard/deployments", { restore: noId });
        expect([response.status, response.headers.get("location")]).toEqual([303, page]);
      }
    },
  );

  testInProof(
    "nobody is identified over the limit of a network: the auth server is not asked",
    async () => {
      // Claims that are signed with a published key are read without asking. A Worker that has asked for keys
      // while there were none believes that for a minute, so this test has one of its own. It is the last
      // here, since the other sessions are signed with the shared secret.
      await signWithKeyPair();
      await using site = await startStrictSite(faultySite.supabaseProxy.url);
      const visitor = (await signedIn(other)).twin(site.url);
      const requestPaths: string[] = [];
      faultySite.supabaseProxy.behave(({ path }, forward) => {
        requestPaths.push(path);
        return forward();
      });
      await postTo(visitor, here(caseOf("/dashboard/deployments")), noId);
      expect(requestPaths).toContain("/auth/v1/user");
      // A minute may end between two of them.
      let answer = "";
      for (let tries = 0; tries < 3 && !isRefusal(answer); tries++) {
        requestPaths.length = 0;
        answer = await summaryOf(
          await postTo(visitor, here(caseOf("/dashboard/deployments")), noId),
        );
      }
      faultySite.recover();
      expect([answer.slice(0, 3), requestPaths.includes("/auth/v1/user")]).toEqual(["429", false]);
    },
  );
});

function isRefusal(answer: string): boolean {
  return answer.startsWith("429") || /notice=(too-often|not-signed-out)/.test(answer);
}

test("an address that takes no posts refuses them from everybody", async () => {
  for (const path of ["/about", "/docs", "/robots.txt", "/healthz", "/dashboard", "/blog.data"]) {
    const response = await signedInNow.twin().post(path, { intent: "save" });
    expect(response.status, path).toBe(405);
  }
});
