import { beforeAll, expect, test } from "vitest";
import { changeOwn, newTokenOf, report, reportOf } from "../../support/agents/agent.ts";
import { askDatabase } from "../../support/attacks/stored-rows.ts";
import { giveSecondFactor, setUpSecondFactor } from "../../support/auth/account.ts";
import { database, inviteSomebody, userIdOf } from "../../support/database/database.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteRoutes } from "../../support/site/site-routes.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const codePath = "/dashboard/account/code";
/** All that a person may read at the database. */
const personTables = [
  "api_tokens?select=id",
  "audit_log?select=id",
  "contact_answers",
  "contact_messages?select=id",
  "customers",
  "deployments",
  "deployment_versions",
  "invitations?select=id",
  "members?select=role",
  "model_configuration_versions",
  "subscriptions",
  "token_allowances",
  "token_usage_days",
  "token_usage_events",
  "unsaved_changes",
  "workspaces?select=id",
];

let owner: Visitor;
let thief: Visitor;
let secret: string;
let id: string;

/** The owner has something of everything; the thief knows the password and no more. */
beforeAll(async () => {
  await resetFakes();
  owner = await customer("pro");
  id = await storeDeployment(email, fullOptions());
  await inviteSomebody(await userIdOf(email));
  const unsaved = { step: "domain", version: "1", domain: "unsaved.mycompany.com" };
  await owner.post(`/dashboard/deployments/${id}/unsaved`, unsaved);
  const configuration = { model: "m", instructions: "", voice: "nova" };
  await changeOwn(owner, {
    intent: "save",
    ...configuration,
    "inputAudioTranscription.model": "w",
    version: "0",
  });
  await changeOwn(owner, { intent: "set-allowance", identity: "ada", tokens: "900" });
  await report(await newTokenOf(owner), reportOf("event", "ada"));
  const sent = await owner.post("/dashboard/support", {
    topic: "support",
    deployment: "",
    message: "A message that is long enough.",
  });
  const message = new URL(sent.headers.get("location") ?? "", owner.siteUrl).searchParams.get(
    "sent",
  );
  await database
    .rpc("answer_contact_message", { message: message ?? "", answer: "An answer." })
    .throwOnError();
  secret = await setUpSecondFactor(owner);
  thief = await signedIn();
});

function tokenOf(visitor: Visitor): string {
  return visitor.sessionSecrets().find(({ name }) => name === "access_token")?.value ?? "";
}

test("with a second factor set up, every private address leads to the code and shows nothing", async () => {
  const paths = siteRoutes()
    .map(({ path }) => path.replace(":id", id).replace(":name", "livekit.yaml"))
    .filter((path) => path.startsWith("/dashboard") && path !== codePath);
  expect(paths.length).toBeGreaterThan(10);
  for (const path of paths) {
    for (const address of [path, `${path}?version=1`]) {
      const response = await thief.request(address);
      expect([response.status, response.headers.get("location")], address).toEqual([
        302,
        `${codePath}?${new URLSearchParams({ next: address })}`,
      ]);
    }
  }
  const data = await thief.request(`/dashboard/deployments/${id}.data`);
  expect(data.status).toBe(202);
  expect(await data.text()).not.toContain("media.example.com");
});

test("so do the addresses that answer scripts, in words", async () => {
  for (const path of [
    "/openai-config/own",
    "/openai-config/usage",
    "/openai-config/usage?format=csv",
    "/google-services/connection",
  ]) {
    const response = await thief.request(path);
    expect([response.status, await response.json()], path).toEqual([
      403,
      { status: 403, error: "Give the code of your second factor first, then try again." },
    ]);
  }
  const signup = await thief.request("/signup");
  expect(signup.headers.get("location")).toBe(`${codePath}?next=%2Fsignup`);
});

testInProof("the names of deployments for the command palette are kept back, too", async () => {
  const response = await thief.request("/deployments/names");
  expect([response.status, await response.json()]).toEqual([
    403,
    { error: "Give the code of your second factor first, then try again." },
  ]);
});

testInProof("the code page and the sign-out stay open, and the code opens everything", async () => {
  const visitor = await signedIn();
  const page = await visitor.request(codePath);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Code from the app");
  expect((await visitor.post("/auth/refresh", {})).status).toBe(200);
  const given = await giveSecondFactor(visitor, secret, `/dashboard/deployments/${id}`);
  expect(given.headers.get("location")).toBe(`/dashboard/deployments/${id}`);
  const opened = await visitor.request(`/dashboard/deployments/${id}`);
  expect(await opened.text()).toContain("media.example.com");

  const leaving = await signedIn();
  const left = await leaving.post("/signout", {});
  expect([left.status, left.headers.get("location")]).toEqual([303, "/"]);
  expect((await leaving.request("/dashboard")).headers.get("location")).toContain("/signin");
});

test("a stolen token without it cannot read which workspace is the personal one", async () => {
  const ask = async (visitor: Visitor) => {
    const call = { method: "POST", token: tokenOf(visitor), body: {} };
    return (await (await askDatabase("rpc/own_workspace", call)).json()) as unknown;
  };
  expect(await ask(thief)).toBeNull();
  expect(await ask(owner)).toEqual(expect.any(String));
});

test.each(personTables)(
  "a stolen token without it reads nothing of %s at the database",
  async (path) => {
    const stolen = await askDatabase(path, { token: tokenOf(thief) });
    expect([stolen.status, await stolen.json()]).toEqual([200, []]);
    const answer = await askDatabase(path, { token: tokenOf(owner) });
    expect(((await answer.json()) as unknown[]).length).toBeGreaterThan(0);
  },
);
