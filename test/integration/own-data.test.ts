import { beforeEach, expect, test } from "vitest";
import { giveSecondFactor, setUpSecondFactor } from "../fixtures/account.ts";
import {
  changeOwn,
  newTokenOf,
  ownOf,
  readConfiguration,
  report,
  reportOf,
  saveVersions,
} from "../fixtures/agent.ts";
import { database, userIdOf } from "../fixtures/database.ts";
import { resetStandIns } from "../fixtures/stand-ins.ts";
import { variable } from "../fixtures/variables.ts";
import { Visitor } from "../fixtures/visitor.ts";
import { customer } from "../fixtures/wizard.ts";

const owner = "customer.one@example.com";
const other = "customer.two@example.com";

beforeEach(resetStandIns);

const choices = (fields: Record<string, string> = {}) => ({
  intent: "save",
  version: "0",
  model: "private-model",
  instructions: "Nobody else reads this.",
  voice: "nova",
  "inputAudioTranscription.model": "whisper-2",
  ...fields,
});

/** A customer with something of everything. */
async function customerWithAll(): Promise<{ visitor: Visitor; token: string; tokenId: string }> {
  const visitor = await customer(undefined, owner);
  await changeOwn(visitor, choices());
  const token = await newTokenOf(visitor, "Private token");
  await changeOwn(visitor, { intent: "set-allowance", identity: "private-ada", tokens: "900" });
  await report(token, reportOf("private-event", "private-ada"));
  const [made] = (await ownOf(visitor)).tokens;
  return { visitor, token, tokenId: made?.id ?? "" };
}

const usagePath = "/openai-config/usage?from=2026-10-01&to=2026-10-31";

test("another customer's configuration, usage and tokens are out of reach in every route", async () => {
  const { visitor, token, tokenId } = await customerWithAll();
  const stranger = await customer(undefined, other);
  const strangersToken = await newTokenOf(stranger, "Theirs");
  const before = JSON.stringify([await ownOf(visitor), await statistics(visitor)]);

  const answers = await Promise.all([
    stranger.request("/openai-config/own"),
    stranger.request(usagePath),
    stranger.request(`${usagePath}&identity=private-ada`),
    stranger.request(`${usagePath}&format=csv`),
    stranger.request(`${usagePath}&format=csv&identity=private-ada`),
    stranger.post("/openai-config", { intent: "open" }),
    readConfiguration(strangersToken),
  ]);
  for (const response of answers) {
    expect.soft([response.url, response.status]).toEqual([response.url, 200]);
    // What was asked for may be said again; nothing that only the owner has.
    const text = (await response.text()).replaceAll('"identity":"private-ada"', "");
    expect.soft(text, response.url).not.toMatch(/private|Nobody else|whisper-2|900|740/i);
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
  await changeOwn(stranger, choices({ model: "theirs" }));
  await changeOwn(stranger, { intent: "set-allowance", identity: "private-ada", tokens: "1" });
  expect((await readConfiguration(token)).status).toBe(200);
  const after = JSON.stringify([await ownOf(visitor), await statistics(visitor)]);
  expect(after.replace(/"lastUsedAt":"[^"]*"/, "")).toBe(
    before.replace(/"lastUsedAt":"[^"]*"/, ""),
  );
});

async function statistics(visitor: Visitor) {
  const response = await visitor.request(usagePath);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  return response.json();
}

test("whoever is signed out reads and changes nothing", async () => {
  await customerWithAll();
  const nobody = new Visitor();
  for (const path of ["/openai-config/own", usagePath, `${usagePath}&format=csv`]) {
    const response = await nobody.request(path);
    expect([path, response.status]).toEqual([path, 401]);
    expect(await response.text()).not.toContain("private");
  }
  expect(await changeOwn(nobody, choices())).toMatchObject({ ok: false, status: 401 });
});

test("the database itself gives each customer their own rows only, and takes writes from nobody", async () => {
  const { visitor, tokenId } = await customerWithAll();
  const stranger = await customer(undefined, other);
  const ownerId = await userIdOf(owner);
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
    ["api_tokens", "id,user_id,name,ending,created_at,last_used_at"],
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
      [`${table}?user_id=eq.${ownerId}`, "PATCH", { user_id: ownerId }],
      [`${table}?user_id=eq.${ownerId}`, "DELETE"],
      [table, "POST", { user_id: ownerId }],
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

test("once there is a second factor, tokens and everything else are changed by whoever gave it", async () => {
  const secret = await setUpSecondFactor(await customer());
  const visitor = await customer();
  const refused = {
    ok: false,
    status: 403,
    message: "Give the code of your second factor first, then try again.",
  };
  const changes: Record<string, string>[] = [
    { intent: "create-token", name: "Agent" },
    { intent: "set-allowance", identity: "ada", tokens: "5" },
    choices(),
  ];
  for (const fields of changes) {
    expect(await changeOwn(visitor, fields), fields.intent).toEqual(refused);
  }
  expect(await ownOf(visitor)).toMatchObject({ version: 0, tokens: [] });
  await giveSecondFactor(visitor, secret, "/openai-config");
  expect((await readConfiguration(await newTokenOf(visitor))).status).toBe(200);
});

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

test("every version is kept with who and when; an old one comes back as a new one", async () => {
  const visitor = await customer();
  expect(await ownOf(visitor)).toMatchObject({ version: 0, versions: [] });
  expect(await changeOwn(visitor, choices({ model: "first" }))).toMatchObject({
    message: "Configuration updated successfully!",
  });
  await changeOwn(visitor, choices({ model: "second", version: "1" }));
  await changeOwn(visitor, choices({ model: "second", version: "2" }));
  expect(await changeOwn(visitor, choices({ model: "late", version: "1" }))).toMatchObject({
    ok: false,
    status: 409,
    version: 2,
    message: expect.stringContaining("saved elsewhere in the meantime"),
  });
  expect(await changeOwn(visitor, { intent: "restore", version: "1" })).toEqual({
    ok: true,
    message: "Version 1 is in force again, as version 3.",
  });
  const { configuration, version, versions } = await ownOf(visitor);
  expect([configuration.model, version]).toEqual(["first", 3]);
  expect(versions.map((each) => [each.version, each.configuration.model])).toEqual([
    [3, "first"],
    [2, "second"],
    [1, "first"],
  ]);
  expect(versions[0]?.restoredFrom).toBe(1);
  for (const each of versions) {
    expect(each.savedBy).toBe(owner);
    expect(Date.parse(each.savedAt)).not.toBeNaN();
  }
});

test("every version can be reached, a hundred at a time, and only one's own", async () => {
  const visitor = await customer(undefined, owner);
  const stranger = await customer(undefined, other);
  await saveVersions(await userIdOf(owner), 203);
  const olderThan = async (before: string | number, who = visitor) => {
    const response = await who.request(`/openai-config/own?before=${before}`);
    const body = (await response.json()) as { versions: { version: number }[]; error?: string };
    return {
      status: response.status,
      ...body,
      numbers: body.versions?.map((each) => each.version),
    };
  };
  const numbers = (newest: number, oldest: number) =>
    Array.from({ length: newest - oldest + 1 }, (_, place) => newest - place);
  const { versions } = await ownOf(visitor);
  expect(versions.map(({ version }) => version)).toEqual(numbers(203, 104));
  expect((await olderThan(104)).numbers).toEqual(numbers(103, 4));
  const { numbers: last, ...rest } = await olderThan(4);
  expect(last).toEqual([3, 2, 1]);
  expect(rest.versions[2]).toEqual({
    ...versions[0],
    version: 1,
    configuration: { ...versions[0]?.configuration, model: "model-1" },
  });
  expect((await olderThan(104, stranger)).versions).toEqual([]);
  expect((await olderThan(104, new Visitor())).status).toBe(401);
  for (const before of ["", "0", "-1", "x", "1e3", "9".repeat(20)]) {
    expect(await olderThan(before), before).toMatchObject({
      status: 400,
      error: "There is no such version.",
    });
  }
  expect(await changeOwn(visitor, { intent: "restore", version: "1" })).toMatchObject({ ok: true });
  expect((await ownOf(visitor)).configuration.model).toBe("model-1");
});

test("twenty saves over the same version at once make one version", async () => {
  const visitor = await customer();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, place) =>
      changeOwn(visitor, choices({ model: `model-${place}` })),
    ),
  );
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect((await ownOf(visitor)).version).toBe(1);
});

const refusals: [what: string, field: string, typed: string, words: string][] = [
  ["no name", "model", "", "A model needs a name."],
  ["a name with a space", "model", "two words", "The name of a model has no spaces."],
  ["a long name", "model", "m".repeat(101), "The name of a model has at most 100 characters."],
  [
    "a tab in a name",
    "inputAudioTranscription.model",
    "a\tb",
    "The name of a model has no spaces.",
  ],
  [
    "long instructions",
    "instructions",
    "i".repeat(10_001),
    "Instructions have at most 10000 characters; these have 10001.",
  ],
  ["NUL", "instructions", "a\u0000b", "The instructions have a character that is no text."],
  ["an unknown voice", "voice", "robot", "Choose one of the voices."],
];

test("what is not allowed is refused at its field, and nothing is saved", async () => {
  const visitor = await customer();
  for (const [what, field, typed, words] of refusals) {
    expect.soft(await changeOwn(visitor, choices({ [field]: typed })), what).toEqual({
      ok: false,
      status: 400,
      message: words,
      problems: { [field]: words },
    });
  }
  expect((await ownOf(visitor)).version).toBe(0);
});

test("the longest that is allowed is saved and read back as it was", async () => {
  const visitor = await customer();
  for (const [version, instructions] of ["🎧".repeat(5_000), "語".repeat(10_000)].entries()) {
    const model = "m".repeat(100);
    await changeOwn(visitor, choices({ model, instructions, version: String(version) }));
    expect((await ownOf(visitor)).configuration).toMatchObject({ model, instructions });
  }
  const withoutScript = choices({ instructions: "字".repeat(10_000), version: "2" });
  expect((await visitor.post("/openai-config", withoutScript)).status).toBe(200);
  expect((await ownOf(visitor)).version).toBe(3);
  const more = choices({ instructions: "語".repeat(20_000), version: "3" });
  const message = "This is too long. Shorten it, please.";
  expect(await changeOwn(visitor, more)).toEqual({ ok: false, status: 413, message });
  const page = await visitor.post("/openai-config", more);
  expect([page.status, await page.text()]).toEqual([413, expect.stringContaining(message)]);
});

test("statistics are the customer's own sums, by day and identity, in the days asked for", async () => {
  const visitor = await customer();
  const token = await newTokenOf(visitor);
  await changeOwn(visitor, { intent: "set-allowance", identity: "eve", tokens: "5" });
  await report(token, [
    reportOf("1", "ada", "2026-10-01T00:00:00Z"),
    reportOf("2", "ada", "2026-10-31T23:59:59Z"),
    reportOf("3", "bob", "2026-11-01T00:30:00+02:00"),
    reportOf("4", "bob", "2026-11-01T00:00:00Z"),
    reportOf("5", "bob", "2026-09-30T23:59:59Z"),
  ]);
  expect(await statistics(visitor)).toEqual({
    from: "2026-10-01",
    to: "2026-10-31",
    identity: "",
    total: {
      responses: 3,
      total_tokens: 480,
      input_tokens: 300,
      input_text_tokens: 225,
      input_audio_tokens: 75,
      cached_tokens: 30,
      output_tokens: 180,
      output_text_tokens: 135,
      output_audio_tokens: 45,
    },
    days: [
      { day: "2026-10-01", responses: 1, total_tokens: 160, input_tokens: 100, output_tokens: 60 },
      { day: "2026-10-31", responses: 2, total_tokens: 320, input_tokens: 200, output_tokens: 120 },
    ],
    identities: [
      { identity: "ada", responses: 2, total_tokens: 320, remaining: null },
      { identity: "bob", responses: 1, total_tokens: 160, remaining: null },
      { identity: "eve", responses: 0, total_tokens: 0, remaining: 5 },
    ],
    known: 3,
  });
  const bobs = await visitor.request(`${usagePath}&identity=bob`);
  expect(await bobs.json()).toMatchObject({
    total: { responses: 1 },
    days: [{ day: "2026-10-31", responses: 1 }],
    identities: [{ identity: "bob", responses: 1, total_tokens: 160, remaining: null }],
    known: 1,
  });
  const eves = await visitor.request(`${usagePath}&identity=eve`);
  expect(await eves.json()).toMatchObject({ identities: [{ identity: "eve", remaining: 5 }] });
  for (const query of ["from=2026-10-02&to=2026-10-01", "from=2020-01-01&to=2026-10-01"]) {
    expect((await visitor.request(`/openai-config/usage?${query}`)).status, query).toBe(400);
  }
  for (const query of ["from=x&to=2026-02-31", "identity=%00", "identity=%ED%A0%80", ""]) {
    expect((await visitor.request(`/openai-config/usage?${query}`)).status, query).toBe(200);
  }
});

test("the CSV has a row for each day and identity, and no formula for a spreadsheet", async () => {
  const visitor = await customer();
  const token = await newTokenOf(visitor);
  const day = "2026-10-05T12:00:00Z";
  await report(token, [
    reportOf("1", "ada", day),
    reportOf("2", '=HYPERLINK("x")', day),
    reportOf("3", "Doe, Jane", day),
  ]);
  const response = await visitor.request(`${usagePath}&format=csv`);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toBe(
    'attachment; filename="token-usage-2026-10-01-2026-10-31.csv"',
  );
  const figures = "1,160,100,75,25,10,60,45,15";
  expect((await response.text()).split("\r\n").toSorted()).toEqual(
    [
      "",
      "day,identity,responses,total_tokens,input_tokens,input_text_tokens,input_audio_tokens,cached_tokens,output_tokens,output_text_tokens,output_audio_tokens",
      `2026-10-05,"'=HYPERLINK(""x"")",${figures}`,
      `2026-10-05,"Doe, Jane",${figures}`,
      `2026-10-05,ada,${figures}`,
    ].toSorted(),
  );
});

test("more than 60 changes in a minute are refused, and a customer has 20 tokens at most", async () => {
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
});
