import { beforeEach, expect, test } from "vitest";
import { defaultConfiguration } from "../../../app/content/model-configuration.ts";
import {
  call,
  changeOwn,
  newTokenOf,
  readConfiguration,
  report,
  reportOf,
  usageOf,
  userConfiguration,
} from "../../support/agents/agent.ts";
import { expectOneCount } from "../../support/agents/posts-at-once.ts";
import { database } from "../../support/database/database.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const choices = {
  intent: "save",
  version: "0",
  model: "gpt-realtime",
  instructions: "Say hello.\r\nThen listen.",
  voice: "nova",
  "inputAudioTranscription.model": "whisper-2",
};

async function problemOf(response: Response) {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const body = (await response.json()) as { status: number; detail: string; errors?: object[] };
  expect(body.status).toBe(response.status);
  return body;
}

const left = (remaining: number) => [{ identity: "ada", remaining }];

async function eventsOf(select = "event_id") {
  const { data } = await database.from("token_usage_events").select(select).throwOnError();
  return data;
}

test("an agent reads what its customer saved, and asks again for the price of a 304", async () => {
  const owner = await customer();
  const token = await newTokenOf(owner);
  const first = await readConfiguration(token);
  expect(first.status).toBe(200);
  expect(first.headers.get("cache-control")).toBe("private, no-cache");
  expect(await first.json()).toEqual(defaultConfiguration);
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[^"]+"$/);

  for (const named of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const same = await readConfiguration(token, { "if-none-match": named });
    expect([named, same.status, await same.text()]).toEqual([named, 304, ""]);
    expect(same.headers.get("etag")).toBe(etag);
  }
  expect(await changeOwn(owner, choices)).toMatchObject({ ok: true });
  const changed = await readConfiguration(token, { "if-none-match": etag });
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).not.toBe(etag);
  expect(await changed.json()).toEqual({
    model: "gpt-realtime",
    instructions: "Say hello.\nThen listen.",
    modalities: ["text", "audio"],
    voice: "nova",
    inputAudioTranscription: { model: "whisper-2" },
  });
});

test("usage is counted once by its event id, alone or in a batch, and taken from the allowance", async () => {
  const owner = await customer();
  const token = await newTokenOf(owner);
  await changeOwn(owner, { intent: "set-allowance", identity: "ada", tokens: "400" });
  const answerTo = async (body: unknown) => {
    const response = await report(token, body);
    expect(response.status).toBe(200);
    return response.json();
  };
  const at_zero = expect.stringMatching(/^Usage is still recorded when an allowance is spent/);

  const one = reportOf("event_1");
  expect(await answerTo(one)).toEqual({
    recorded: 1,
    duplicates: 0,
    allowances: left(240),
    at_zero,
  });
  expect(await answerTo({ ...one, usage: usageOf(9, 9) })).toEqual({
    recorded: 0,
    duplicates: 1,
    allowances: left(240),
    at_zero,
  });
  const batch = [one, reportOf("event_2"), reportOf("event_2"), reportOf("event_3", "bob")];
  expect(await answerTo(batch)).toMatchObject({
    recorded: 2,
    duplicates: 2,
    allowances: left(80),
  });
  expect(await answerTo(reportOf("event_4"))).toMatchObject({ allowances: left(0) });
  expect(await answerTo(reportOf("event_5"))).toMatchObject({ recorded: 1, allowances: left(0) });
  expect(await answerTo([reportOf("event_6", "bob")])).toMatchObject({ allowances: [] });

  const { data } = await database.from("token_usage_days").select("*").order("identity");
  expect(data).toMatchObject([
    { day: "2026-10-05", identity: "ada", responses: 4, total_tokens: 640, input_tokens: 400 },
    {
      day: "2026-10-05",
      identity: "bob",
      responses: 2,
      total_tokens: 320,
      input_tokens: 200,
      input_text_tokens: 150,
      input_audio_tokens: 50,
      cached_tokens: 20,
      output_tokens: 120,
      output_text_tokens: 90,
      output_audio_tokens: 30,
    },
  ]);
});

testInProof("a batch has up to 1,000 reports, and is recorded whole or not at all", async () => {
  const token = await newTokenOf(await customer());
  const many = Array.from({ length: 1_000 }, (_, place) => reportOf(`event_${place}`));
  const broken = many.with(700, { ...reportOf("event_700"), identity: "" });
  const refused = await problemOf(await report(token, broken));
  expect(refused).toMatchObject({
    status: 422,
    errors: [{ pointer: "#/700/identity", detail: expect.stringContaining("1 to 64") }],
  });
  expect(await eventsOf()).toEqual([]);
  expect((await report(token, [...many, reportOf("one more")])).status).toBe(422);
  expect(await (await report(token, many)).json()).toMatchObject({ recorded: 1_000 });
  expect(await (await report(token, many)).json()).toMatchObject({ duplicates: 1_000 });
});

const faulty: [what: string, body: unknown, pointer: string][] = [
  ["no event id", { ...reportOf("x"), event_id: undefined }, "#/event_id"],
  ["a line break in the event id", reportOf("a\nb"), "#/event_id"],
  ["NUL in the identity", reportOf("x", "a\u0000b"), "#/identity"],
  ["half a character in the identity", reportOf("x", "a\ud800"), "#/identity"],
  ["no such day", reportOf("x", "ada", "2026-13-45T00:00:00Z"), "#/timestamp"],
  ["a time without a zone", reportOf("x", "ada", "2026-10-05T12:00:00"), "#/timestamp"],
  ["the far future", reportOf("x", "ada", "2999-01-01T00:00:00Z"), "#/timestamp"],
  ["a negative count", { ...reportOf("x"), usage: usageOf(-5, 1) }, "#/usage/total_tokens"],
  ["a huge count", { ...reportOf("x"), usage: usageOf(1e12, 0) }, "#/usage/total_tokens"],
  ["half a token", { ...reportOf("x"), usage: usageOf(0.5, 0) }, "#/usage/total_tokens"],
  ["no usage", { ...reportOf("x"), usage: null }, "#/usage"],
  ["nothing", null, "#"],
];

testInProof("a report with a fault is refused at its place, and nothing is recorded", async () => {
  const token = await newTokenOf(await customer());
  for (const [what, body, pointer] of faulty) {
    const { status, errors } = await problemOf(await report(token, body));
    expect.soft([what, status]).toEqual([what, 422]);
    const detail = expect.stringMatching(/^Must be .+\.$/);
    expect.soft(errors, what).toContainEqual({ pointer: expect.stringContaining(pointer), detail });
  }
  expect(await eventsOf()).toEqual([]);
});

test("a revoked token stops with the next call, at both addresses, and the customer's others go on", async () => {
  const owner = await customer();
  const token = await newTokenOf(owner, "Old");
  const other = await newTokenOf(owner, "New");
  expect((await report(token, reportOf("event_1"))).status).toBe(200);
  const { tokens } = await userConfiguration(owner);
  const old = tokens.find(({ name }) => name === "Old");
  expect(old).toMatchObject({ ending: token.slice(-4), lastUsedAt: expect.any(String) });
  expect(tokens.find(({ name }) => name === "New")?.lastUsedAt).toBe(null);

  expect(await changeOwn(owner, { intent: "revoke-token", token: old?.id ?? "" })).toEqual({
    ok: true,
    message: "The token is revoked: nothing gets in with it any more.",
  });
  const answers = await Promise.all([
    readConfiguration(token),
    report(token, reportOf("event_2")),
    report(token, reportOf("event_1")),
  ]);
  for (const response of answers) {
    expect((await problemOf(response)).status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
  }
  expect((await report(other, reportOf("event_3"))).status).toBe(200);
  expect(await eventsOf()).toEqual([{ event_id: "event_1" }, { event_id: "event_3" }]);
});

test("only a token opens the API: no cookie, no other scheme, no other form of it", async () => {
  const owner = await customer();
  const token = await newTokenOf(owner);
  for (const authorization of [
    "",
    "Basic abc",
    `Bearer ${token}x`,
    `Bearer lkd_${"0".repeat(43)}`,
  ]) {
    const headers = { authorization };
    const read = await owner.request("/api/model-config", { headers });
    const write = await owner.request("/api/token-usage", {
      method: "POST",
      body: JSON.stringify(reportOf("event_1")),
      headers: { ...headers, "content-type": "application/json" },
    });
    for (const response of [read, write]) {
      const { status, detail } = await problemOf(response);
      expect([authorization, status]).toEqual([authorization, 401]);
      expect(detail).not.toContain(token);
    }
  }
  expect(await eventsOf()).toEqual([]);
  const foreign = { origin: "https://elsewhere.example" };
  expect((await report(token, reportOf("event_1"), foreign)).status).toBe(200);
  for (const path of ["/api/token-usage/", "/api//token-usage", "/openai-config/own"]) {
    const response = await call(path, token, { method: "POST", headers: foreign });
    expect([path, response.status]).toEqual([path, 403]);
  }
});

// A thousand posts: test/proof/agents/posts-at-once.test.ts.
testInProof("twenty posts of the same event, three at once, count once", async () => {
  await expectOneCount(await customer(), 20);
});
