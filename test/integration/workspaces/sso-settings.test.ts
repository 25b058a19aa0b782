import { beforeEach, expect, test } from "vitest";
import { readNode } from "../../../scripts/deploy/program.ts";
import { alertIn, withoutScripts } from "../../support/auth/account.ts";
import { fakes, resetFakes, steerInternet } from "../../support/site/control-fakes.ts";
import { variable } from "../../support/site/variables.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import { rolesIn, signInBySso } from "../../support/workspaces/single-sign-on.ts";
import { newWorkspace } from "../../support/workspaces/workspaces.ts";

const owner = "customer.one@example.com";
const settings = "/dashboard/w/okapi-team/settings";

beforeEach(resetFakes);

async function change(visitor: Visitor, act: string, value = "") {
  const response = await visitor.post(settings, { intent: "sso", act, value });
  const page = await response.text();
  return {
    status: response.status,
    location: response.headers.get("location"),
    alert: alertIn(page),
  };
}

const settingsOf = async (visitor: Visitor) =>
  withoutScripts(await (await visitor.request(settings)).text());

async function operator(...parameters: string[]) {
  process.env.SUPABASE_URL = fakes().supabase.url;
  process.env.SUPABASE_SECRET_KEY = variable("SUPABASE_SECRET_KEY");
  try {
    return await readNode("scripts/sso/sso.ts", parameters);
  } finally {
    Reflect.deleteProperty(process.env, "SUPABASE_URL");
    Reflect.deleteProperty(process.env, "SUPABASE_SECRET_KEY");
  }
}

test("an operator offers it, the owner proves a domain by its TXT record, the operator connects it", async () => {
  const founder = await signedIn(owner);
  const team = await newWorkspace(owner, "okapi-team");
  expect(await settingsOf(founder)).toContain("It is part of Enterprise.");
  expect((await change(founder, "add", "okapi.example")).status).toBe(400);
  expect((await operator("offer", "okapi-team")).code).toBe(0);

  expect((await change(founder, "add", "https://okapi.example")).alert).toContain("Write a domain");
  expect((await change(founder, "add", "Okapi.example")).location).toContain("done=sso");
  const page = await settingsOf(founder);
  const [record = ""] = /livekit-deploy=[0-9a-f]{32}/.exec(page) ?? [];
  expect(page).toContain("_livekit-deploy.okapi.example");
  const early = await change(founder, "verify", "okapi.example");
  expect([early.status, early.alert]).toEqual([
    409,
    "The record is not there yet, or says something else. DNS can take an hour; then check again.",
  ]);
  expect((await operator("connect", "okapi-team")).complaint).toContain("No domain is proved yet.");
  await steerInternet({ name: "_livekit-deploy.okapi.example", TXT: ["v=spf1 -all", record] });
  expect((await change(founder, "verify", "okapi.example")).location).toContain("done=sso");
  expect((await change(founder, "metadata", "http://idp.example")).alert).toContain("https://");
  await change(founder, "metadata", "https://idp.okapi.example/metadata");
  const connected = await operator("connect", "okapi-team");
  expect([connected.code, connected.output]).toEqual([0, "✓ Connected for okapi.example.\n"]);
  await signInBySso("ada@okapi.example");
  expect(await rolesIn(team, "ada@okapi.example")).toHaveLength(1);
  expect((await operator("unknown", "okapi-team")).code).toBe(2);
});
