import { beforeEach, expect, test } from "vitest";
import {
  changeOwn,
  firstChoices,
  newTokenOf,
  readConfiguration,
  report,
  reportOf,
  statisticsOf,
  usagePath,
  userConfiguration,
} from "../../support/agents/agent.ts";
import { giveSecondFactor, setUpSecondFactor } from "../../support/auth/account.ts";
import { database, personalWorkspaceOf, userIdOf } from "../../support/database/database.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { variable } from "../../support/site/variables.ts";
import { Visitor } from "../../support/site/visitor.ts";

const owner = "customer.one@example.com";
const other = "customer.two@example.com";

beforeEach(resetFakes);

async function customerWithAll(): Promise<{ visitor: Visitor; token: string; tokenId: string }> {
  const visitor = await customer(undefined, owner);
  await changeOwn(visitor, firstChoices());
  const token = await newTokenOf(visitor, "Private token");
  // Of so many digits that no id, time or port has them by chance, before and after the report.
  const tokens = "700000160";
  await changeOwn(visitor, { intent: "set-allowance", identity: "private-ada", tokens });
  await report(token, reportOf("private-event", "private-ada"));
  const [made] = (await userConfiguration(visitor)).tokens;
  return { visitor, token, tokenId: made?.id ?? "" };
}

testInProof(
  "another customer's configuration, usage and tokens are out of reach in every route",
  async () => {
    const { visitor, token, tokenId } = await customerWithAll();
    const stranger = await customer(undefined, other);
    const strangersToken = await newTokenOf(stranger, "Theirs");
    const before = JSON.stringify([await userConfiguration(visitor), await statisticsOf(visitor)]);

    const answers = await Promise.all([
      stranger.request("/openai-config/own"),
      stranger.request(usagePath),
      stranger.request(`${usagePath}&identity=private-ada`),
      stranger.request(`${usagePath}&format=csv`),
      stranger.request(`${usagePath}&format=csv&identity=private-ada`),
      stranger.request("/dashboard/models"),
      stranger.request(`/dashboard/usage${new URL(usagePath, "http://site").search}`),
      readConfiguration(strangersToken),
    ]);
    for (const response of answers) {
      expect.soft([response.url, response.status]).toEqual([response.url, 200]);
      // What was asked for may be said again; nothing that only the owner has.
      const text = (await response.text()).replaceAll('"identity":"private-ada"', "");
      expect.soft(text, response.url).not.toMatch(/private|Nobody else|whisper-2|700000/i);
    }
    expect(await changeOwn(stranger, { intent: "revoke-token", token: tokenId })).toMatchObject({
      ok: false,
      status: 404,
    });
    expect(await changeOwn(stranger, { intent: "restore", version: "1" })).toMatchObject({
      ok: false,
      status: 404,
    });
    await report(strangersToken, reportOf("private-event", "private-ada"));
    await changeOwn(stranger, firstChoices({ model: "theirs" }));
    await changeOwn(stranger, { intent: "set-allowance", identity: "private-ada", tokens: "1" });
    expect((await readConfiguration(token)).status).toBe(200);
    const after = JSON.stringify([await userConfiguration(visitor), await statisticsOf(visitor)]);
    expect(after.replace(/"lastUsedAt":"[^"]*"/, "")).toBe(
      before.replace(/"lastUsedAt":"[^"]*"/, ""),
    );
  },
);

testInProof("a signed-out visitor reads and changes nothing", async () => {
  await customerWithAll();
  const nobody = new Visitor();
  for (const path of ["/openai-config/own", usagePath, `${usagePath}&format=csv`]) {
    const response = await nobody.request(path);
    expect([path, response.status]).toEqual([path, 401]);
    expect(await response.text()).not.toContain("private");
  }
  expect(await changeOwn(nobody, firstChoices())).toMatchObject({ ok: false, status: 401 });
});

test("the database itself gives each customer their own rows only, and takes writes from nobody", async () => {
  const { visitor, tokenId } = await customerWithAll();
  const stranger = await customer(undefined, other);
  const ownerId = await userIdOf(owner);
  const workspace_id = await personalWorkspaceOf(ownerId);
  const sessionOf = (who: Visitor) =>
    who.sessionSecrets().find(({ name }) => name === "access_token")?.value ?? "";
  const anon = variable("SUPABASE_PUBLISHABLE_KEY");
  const ask = (path: string, token: string, method = "GET", body?: object) =>
    fetch(`${variable("SUPABASE_URL")}/rest/v1/${path}`, {
      method,
      headers: {
        apikey: anon,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        prefer: "return=representation",
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const tables: [table: string, columns: string][] = [
    ["model_configuration_versions", "*"],
    ["api_tokens", "id,user_id,workspace_id,name,ending,scopes,created_at,ends_at,last_used_at"],
    ["token_usage_events", "*"],
    ["token_usage_days", "*"],
    ["token_allowances", "*"],
  ];
  for (const [table, columns] of tables) {
    const path = `${table}?select=${columns}`;
    expect(await (await ask(path, sessionOf(visitor))).json(), table).toHaveLength(1);
    expect(await (await ask(path, sessionOf(stranger))).json(), table).toEqual([]);
    expect((await ask(path, anon)).status, table).toBe(401);
  }
  for (const columns of ["token_hash", "*"]) {
    const hash = await ask(`api_tokens?select=${columns}`, sessionOf(visitor));
    expect([columns, hash.status]).toEqual([columns, 403]);
  }
  const days = { first_day: "2026-10-01", last_day: "2026-10-31" };
  const sums = await ask("rpc/token_usage_statistics", sessionOf(stranger), "POST", days);
  expect(await sums.json()).toMatchObject({ days: [], identities: [], known: 0 });
  expect((await ask("rpc/token_usage_statistics", anon, "POST", days)).status).toBe(401);

  const { data: stored } = await database.from("api_tokens").select("token_hash").single();
  const hash = stored?.token_hash ?? "";
  const writes: [path: string, method: string, body?: object][] = [
    ...tables.flatMap(([table]): [string, string, object?][] => [
      [`${table}?workspace_id=eq.${workspace_id}`, "PATCH", { workspace_id }],
      [`${table}?workspace_id=eq.${workspace_id}`, "DELETE"],
      [table, "POST", { workspace_id }],
    ]),
    [
      "rpc/save_model_configuration",
      "POST",
      {
        owner: ownerId,
        saver: "x",
        expected_version: 1,
        new_model: "x",
        new_instructions: "",
        new_voice: "nova",
        new_transcription_model: "x",
      },
    ],
    ["rpc/restore_model_configuration", "POST", { owner: ownerId, saver: "x", old_version: 1 }],
    [
      "rpc/create_api_token",
      "POST",
      { owner: ownerId, new_name: "x", new_hash: "0".repeat(64), new_ending: "xxxx", allowed: 9 },
    ],
    ["rpc/revoke_api_token", "POST", { owner: ownerId, target: tokenId }],
    ["rpc/use_api_token", "POST", { hash }],
    ["rpc/record_token_usage", "POST", { hash, reports: [] }],
    ["rpc/set_token_allowance", "POST", { owner: ownerId, of_identity: "x", tokens: 1 }],
  ];
  for (const token of [sessionOf(visitor), sessionOf(stranger), anon]) {
    for (const [path, method, body] of writes) {
      const { status } = await ask(path, token, method, body);
      expect.soft([401, 403], `${method} ${path} answered ${status}`).toContain(status);
    }
  }
  const { data } = await database.from("model_configuration_versions").select("model");
  expect(data).toEqual([{ model: "private-model" }]);
});

testInProof(
  "once there is a second factor, tokens and everything else are changed by a session that gave it",
  async () => {
    const secret = await setUpSecondFactor(await customer());
    const visitor = await customer();
    const refused = {
      ok: false,
      status: 403,
      message: "Give the code of your second factor first, then try again.",
      missing: "second-factor",
    };
    const changes: Record<string, string>[] = [
      { intent: "create-token", name: "Agent" },
      { intent: "set-allowance", identity: "ada", tokens: "5" },
      firstChoices(),
    ];
    for (const fields of changes) {
      expect(await changeOwn(visitor, fields), fields.intent).toEqual(refused);
    }
    expect(await userConfiguration(visitor)).toEqual({ status: 403, error: refused.message });
    await giveSecondFactor(visitor, secret, "/openai-config");
    expect(await userConfiguration(visitor)).toMatchObject({ version: 0, tokens: [] });
    expect((await readConfiguration(await newTokenOf(visitor))).status).toBe(200);
  },
);

test("a token is stored as a hash only, and shown to nobody twice", async () => {
  const { visitor, token } = await customerWithAll();
  const { data } = await database.from("api_tokens").select("*").single().throwOnError();
  expect(token).toMatch(/^lkd_[0-9A-Za-z]{43}$/);
  expect(JSON.stringify(data)).not.toContain(token);
  expect(JSON.stringify(data)).not.toContain(token.slice(4, 20));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  expect(data.token_hash).toBe(Buffer.from(digest).toString("hex"));
  const shown = await (await visitor.request("/openai-config/own")).text();
  expect(shown).not.toContain(token.slice(0, -4));
  expect(shown).not.toContain(data.token_hash);
});

testInProof(
  "more than 60 changes in a minute are refused, and a customer has 20 tokens at most",
  async () => {
    const visitor = await customer();
    const names = Array.from({ length: 21 }, (_, place) => `Token ${place}`);
    const made = await Promise.all(
      names.map((name) => changeOwn(visitor, { intent: "create-token", name })),
    );
    expect(made.filter(({ ok }) => ok)).toHaveLength(20);
    expect(made.find(({ ok }) => !ok)?.message).toBe("You have 20 tokens. Revoke one first.");
    let last = await changeOwn(visitor, { intent: "create-token", name: "" });
    expect(last).toMatchObject({ status: 400, message: "Name the token in 1 to 60 characters." });
    for (let tries = 0; tries < 120 && !("status" in last && last.status === 429); tries++) {
      last = await changeOwn(visitor, { intent: "create-token", name: "" });
    }
    expect(last).toMatchObject({ status: 429 });
  },
);
