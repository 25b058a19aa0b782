import { beforeAll, beforeEach, expect, test } from "vitest";
import { outdatedChoices } from "../../../app/features/deployments/download/downloads.server.ts";
import { buy } from "../../support/billing/hosted-pages.ts";
import { database } from "../../support/database/database.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { newDeployment } from "../../support/deployments/wizard.ts";
import { faults } from "../../support/faults/fault-proxy.ts";
import {
  type SiteWithFaults,
  sharedSiteWithFaults,
} from "../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const nobodys = "/dashboard/deployments/00000000-0000-4000-8000-000000000000";

const notReadable =
  "Sign-in is not available right now, so this cannot be shown. Please try again in a moment.";

let site: SiteWithFaults;

beforeAll(async () => {
  site = await sharedSiteWithFaults();
});

beforeEach(async () => {
  await resetFakes();
  site.recover();
});

async function signedIn(): Promise<Visitor> {
  const visitor = new Visitor(site.url);
  await visitor.signInWithGoogle(email);
  return visitor;
}

const withoutDatabase = () =>
  site.supabaseProxy.behave(async ({ path }, forward) =>
    path.startsWith("/rest/v1/deployments") ? "cut off" : forward(),
  );

/** What the page says, which must have the console's own navigation. */
async function consoleWords(response: Response): Promise<string> {
  const html = await response.text();
  expect(html).toContain('<nav aria-label="Console"');
  expect(html).toContain('action="/signout"');
  return textOfHtml(html);
}

const unexpected = "Unexpected Application Error!";

test.each(sample(["", "/edit", "/delete", "/versions"], 1))(
  "a deployment that is not the visitor's is 404 inside the console (%s)",
  async (page) => {
    const visitor = await signedIn();
    const response = await visitor.request(nobodys + page);
    expect(response.status).toBe(404);
    const words = await consoleWords(response);
    expect(words).toContain("This page is not here");
    expect(words).not.toContain(unexpected);
    expect(words).toContain("Everything else in your account is as you left it.");
    expect(words).toContain("Your deployments");
    expect(words).not.toContain("Try again");
  },
);

testInProof.each(["", "/edit?step=network", "/delete", "/versions"])(
  "a deployment that cannot be read is 503 inside the console, which says what is safe (%s)",
  async (page) => {
    const visitor = await signedIn();
    const address = `/dashboard/deployments/${await storeDeployment(email, fullOptions())}${page}`;
    withoutDatabase();
    const response = await visitor.request(address);
    expect(response.status).toBe(503);
    const html = await response.clone().text();
    expect(html).toContain(`href="${address}"`);
    const words = await consoleWords(response);
    expect(words).not.toContain(unexpected);
    expect(words).toMatch(/cannot be read right now\. (It is|They are) safe/);
    expect(words).toContain("Try again");
    expect(words).toContain(response.headers.get("x-request-id"));
  },
);

testInProof(
  "where trying again cannot succeed it is not offered, and what was refused is said",
  async () => {
    const visitor = await signedIn();
    const id = await storeDeployment(email, fullOptions());
    await database.from("deployments").update({ options: {} }).eq("id", id).throwOnError();
    const response = await visitor.request(`/dashboard/deployments/${id}/connect`);
    expect(response.status).toBe(409);
    const words = await consoleWords(response);
    expect(words).toContain("This page cannot be shown");
    expect(words).toContain(outdatedChoices);
    expect(words).not.toContain("Try again");
    expect(words).toContain("Your deployments");
  },
);

test("an address of the console that does not exist is 404 inside the console", async () => {
  const visitor = await signedIn();
  const response = await visitor.request("/dashboard/nowhere");
  expect(response.status).toBe(404);
  const words = await consoleWords(response);
  expect(words).toContain("This page is not here");
  expect(words).not.toContain("Try again");
});

testInProof.each([
  "/dashboard",
  "/dashboard/billing",
  "/dashboard/plan",
  "/dashboard/account",
  "/dashboard/deployments",
  "/dashboard/deployments/new",
])("while nobody can say who asks, %s is 503 and shows nothing of an account", async (path) => {
  const visitor = await signedIn();
  site.supabaseProxy.behave(faults["cut off"]);
  const response = await visitor.request(path);
  expect(response.status).toBe(503);
  const words = await consoleWords(response);
  expect(words).toContain(notReadable);
  expect(words).not.toContain("Nothing was changed");
  expect(words).not.toContain(unexpected);
  expect(words).not.toMatch(/No plan yet|No invoices yet|Your first server/);
});

test("what was typed is kept when a post without script finds nobody who can say who asks", async () => {
  const visitor = await signedIn();
  site.supabaseProxy.behave(faults["cut off"]);
  const form = { name: "Far away", domain: "live.example.com", email, draft: "{}" };
  const response = await visitor.post("/dashboard/deployments/new", form);
  expect(response.status).toBe(503);
  expect(await consoleWords(response)).toContain(
    "Sign-in is not available right now. Nothing was changed.",
  );
  expect(response.headers.getSetCookie().join()).toMatch(/unsaved-form=[^;]/);
});

testInProof(
  "what a script keeps while nobody can say who asks is there when the form is opened again",
  async () => {
    const visitor = await signedIn();
    await buy(visitor, "pro");
    const step = { step: "domain", version: "1", domain: "typed.example.com" };
    const id = await newDeployment(visitor);
    for (const [unsavedPath, form, fields] of [
      ["new/unsaved", "new", { domain: "new.example.com" }],
      [`${id}/unsaved`, `${id}/edit?step=domain`, step],
    ] as const) {
      site.supabaseProxy.behave(faults["cut off"]);
      expect((await visitor.post(`/dashboard/deployments/${unsavedPath}`, fields)).status).toBe(
        503,
      );
      site.recover();
      const page = await (await visitor.request(`/dashboard/deployments/${form}`)).text();
      expect(page).toContain(`value="${fields.domain}"`);
    }
  },
);

testInProof.each(["/google-services/connection", "/openai-config/own", "/openai-config/usage"])(
  "while the visitor cannot be identified, %s answers that its screen cannot be shown",
  async (path) => {
    const visitor = await signedIn();
    site.supabaseProxy.behave(faults["cut off"]);
    const response = await visitor.request(path);
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 503, error: notReadable },
    ]);
  },
);

test("a page that cannot be shown after a change was made does not say that nothing was changed", async () => {
  const visitor = await signedIn();
  let isMade = false;
  site.supabaseProxy.behave(async ({ method, path }, forward) => {
    if (isMade) return "cut off";
    const answer = await forward();
    isMade = method === "POST" && path === "/auth/v1/factors" && answer.status === 200;
    return answer;
  });
  const response = await visitor.post("/dashboard/account", { intent: "enrol", name: "My phone" });
  expect(isMade).toBe(true);
  const words = await consoleWords(response);
  expect(words).toContain(notReadable);
  expect(words).not.toContain("Nothing was changed");
});

testInProof(
  "a page that broke unexpectedly is 500 inside the console, with its id and without a claim about changes",
  async () => {
    const visitor = await signedIn();
    site.supabaseProxy.behave(async ({ path }, forward) => {
      const answer = await forward();
      return path.startsWith("/rest/v1/rpc/sessions_of") ? { ...answer, body: "[null]" } : answer;
    });
    const response = await visitor.request("/dashboard/account");
    expect(response.status).toBe(500);
    const words = await consoleWords(response);
    expect(words).toContain(unexpected);
    expect(words).toContain("Something went wrong on our side. Please try again in a moment.");
    expect(words).toContain("Your servers do not depend on this site and go on running.");
    expect(words).not.toContain("Nothing was changed");
    expect(words).toContain(response.headers.get("x-request-id"));
  },
);

testInProof("billing that was read too often says so inside the console", async () => {
  const visitor = await signedIn();
  let last = await visitor.request("/dashboard/billing");
  for (let read = 0; read < 100 && last.status === 200; read++) {
    last = await visitor.request("/dashboard/billing");
  }
  expect(last.status).toBe(429);
  expect(await consoleWords(last)).toContain("Try again");
});

testInProof("a HEAD counts like the reading that it is", async () => {
  const visitor = await signedIn();
  const head = () => visitor.request("/dashboard/billing", { method: "HEAD" });
  let last = await head();
  for (let read = 0; read < 100 && last.status === 200; read++) {
    last = await head();
  }
  expect(last.status).toBe(429);
});
