import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { scopes } from "../../../app/features/api/scopes.ts";
import { type ApiTeam, addedWebhook, apiTeam } from "../../support/api/api-team.ts";
import { DescribedApi, type DescribedOperation } from "../../support/api/described-api.ts";
import {
  damaged,
  hostileTexts,
  type JsonSchema,
  valuesOf,
} from "../../support/api/schema-values.ts";
import { seedsOf } from "../../support/run/seeds.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { randomAddress } from "../../support/site/network-address.ts";
import { siteUrl } from "../../support/site/own-site.ts";

/** Calls of one seed. A longer search: `API_FUZZ_CALLS=20000`. */
const calls = Number(process.env.API_FUZZ_CALLS ?? 1_000);
const atATime = 6;
vi.setConfig({ testTimeout: 60_000 + calls * 200 });

type Sent = { method: string; target: string; headers: Record<string, string>; body?: string };
type Line = { template: string; method: string; operation: DescribedOperation };

let api: DescribedApi;
let team: ApiTeam;
let webhook: string;
let tokens: string[];
const statuses = new Set<number>();

beforeAll(async () => {
  await resetFakes();
  api = await DescribedApi.served();
  team = await apiTeam("okapi");
  webhook = await addedWebhook(team);
  tokens = await Promise.all(
    Array.from({ length: 8 }, (_, nth) => team.token(scopes, `Fuzz ${nth}`)),
  );
}, 60_000);
afterAll(resetFakes);

const options: JsonSchema = JSON.parse(
  readFileSync("public/schemas/deployment-options.json", "utf8"),
);

/** Mostly what there is, so that calls come past the first question. */
const idsOf = (real: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(real) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: hostileTexts },
  );

function callsOf({ template, method, operation }: Line): fc.Arbitrary<Sent> {
  const named = (reference: string) =>
    reference
      .slice(2)
      .split("/")
      .reduce<unknown>((value, part) => Object(value)[part], api.description) as JsonSchema;
  const { parameters = [], requestBody } = operation;
  const real: Readonly<Record<string, string>> = {
    ...{ deployment: team.deployment, server: team.server, incident: team.incident },
    ...{ session: team.session, rollout: team.rollout, webhook, version: "2" },
  };
  const paths = fc
    .tuple(...[...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => idsOf(real[name] ?? "1")))
    .map((ids) => {
      const left = [...ids];
      return template.replaceAll(/\{\w+\}/g, () =>
        encodeURIComponent((left.shift() ?? "").toWellFormed()),
      );
    });
  const query = fc.record(
    Object.fromEntries(
      parameters
        .filter((each) => each.in === "query")
        .map(({ name, schema }) => [
          name,
          fc.oneof(
            { weight: 3, arbitrary: valuesOf(schema as JsonSchema, named).map(String) },
            { weight: 1, arbitrary: hostileTexts },
          ),
        ]),
    ),
    { requiredKeys: [] },
  );
  const schema = requestBody?.content["application/json"]?.schema as JsonSchema | undefined;
  return fc
    .record({
      path: paths,
      query,
      more: fc.option(fc.tuple(hostileTexts, hostileTexts), { freq: 12 }),
      token: fc.nat(tokens.length - 1),
      ifMatch: fc.option(fc.oneof(fc.constant("*"), headerTexts), { freq: 4 }),
      ifNoneMatch: fc.option(headerTexts, { freq: 3 }),
      key: fc.oneof(
        { weight: 6, arbitrary: fc.uuid() },
        // Again and again, with other calls and at the same time.
        { weight: 2, arbitrary: fc.constantFrom("one", "two") },
        { weight: 1, arbitrary: headerTexts },
      ),
      type: fc.oneof(
        { weight: 15, arbitrary: fc.constant("application/json") },
        { weight: 1, arbitrary: fc.constantFrom("text/plain", "application/json; charset=utf-16") },
      ),
      body: schema ? bodiesOf(schema, named) : fc.constant(undefined),
    })
    .map(({ path, query, more, token, ifMatch, ifNoneMatch, key, type, body }) => {
      const search = new URLSearchParams(
        [...Object.entries(query), ...(more ? [more] : [])].map(([name, value]) => [
          ...[name, String(value)],
        ]),
      );
      return {
        method,
        target: search.size > 0 ? `${path}?${search}` : path,
        headers: {
          authorization: `Bearer ${tokens[token]}`,
          ...(ifMatch === null ? {} : { "if-match": ifMatch }),
          ...(ifNoneMatch === null ? {} : { "if-none-match": ifNoneMatch }),
          ...(body === undefined ? {} : { "idempotency-key": key, "content-type": type }),
        },
        ...(body === undefined ? {} : { body }),
      };
    });
}

/** What a header may carry at all. */
const headerTexts = fc.stringMatching(/^[!-~]([ -~]{0,60}[!-~])?$/);

function bodiesOf(schema: JsonSchema, named: (reference: string) => JsonSchema) {
  const values = valuesOf(schema, named);
  // Where a body has options, those of a deployment, and mostly a name that it may have: others are refused at once.
  const withOptions = fc
    .tuple(
      values,
      fc.oneof(fc.constant(team.options), valuesOf(options, named)),
      fc.constantFrom({}, { name: "Production" }, { name: "Drawn" }),
    )
    .map(([value, drawn, name]) =>
      typeof value === "object" && value !== null && "options" in value
        ? {
            ...{ ...value, options: { ...team.options, ...Object(drawn) } },
            ...("name" in value ? name : {}),
          }
        : value,
    );
  const texts = fc.oneof(
    { weight: 4, arbitrary: withOptions },
    { weight: 2, arbitrary: damaged(withOptions) },
    { weight: 1, arbitrary: values },
  );
  return fc.oneof(
    { weight: 12, arbitrary: texts.map((value) => JSON.stringify(value) ?? "") },
    { weight: 1, arbitrary: hostileTexts },
    { weight: 1, arbitrary: fc.constantFrom("[".repeat(20_000), `"${"x".repeat(33_000)}"`, "{") },
  );
}

/** The site leads an address with an empty part to that without it. */
const hasEmptyPart = /\/\/|\/$/;

/** What is wrong with an answer; undefined where nothing is. */
async function faultOf(sent: Sent): Promise<string | undefined> {
  try {
    await answered(sent);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${reason}\n${JSON.stringify(sent).slice(0, 2_000)}`;
  }
}

async function answered({ method, target, headers, body }: Sent): Promise<void> {
  const response = await fetch(siteUrl + target, {
    ...{ method, redirect: "manual" },
    headers: { ...headers, connection: "close", "cf-connecting-ip": randomAddress() },
    ...(body === undefined ? {} : { body }),
  });
  expect([method, target, response.status < 500]).toEqual([method, target, true]);
  const { pathname } = new URL(target, siteUrl);
  if (hasEmptyPart.test(pathname)) return expect([301, 308, 404]).toContain(response.status);
  // An id may have made an address of it that the description does not have.
  if (api.operationAt(method, pathname))
    await api.expectDescribedAnswer(method, pathname, response);
  else {
    expect([target, await response.text()]).toEqual([target, expect.stringContaining('"code"')]);
    expect([target, [404, 405].includes(response.status)]).toEqual([target, true]);
  }
  statuses.add(response.status);
}

/** What a minute and a day may have is not what is looked for. */
async function renewLimits(): Promise<void> {
  await runSql("update public.workspace_tokens set calls = 0");
  await runSql("delete from public.api_requests where began_at < now() - interval '10 seconds'");
}

test.each(seedsOf("test/proof/api/fuzzed-calls.test.ts"))(
  "calls that are drawn from the description are answered as it says and never by 5xx, with seed %i",
  async (seed) => {
    const lines = Object.entries(api.description.paths)
      .filter(([template]) => template.startsWith("/api/v1/"))
      .flatMap(([template, all]) =>
        Object.entries(all).map(([method, operation]) => ({
          ...{ template, method: method.toUpperCase(), operation },
        })),
      );
    const drawn = fc.sample(fc.oneof(...lines.map(callsOf)), { seed, numRuns: calls });
    const faults: string[] = [];
    for (let at = 0; at < drawn.length && faults.length < 20; at += atATime) {
      if (at % 60 === 0) await renewLimits();
      const batch = await Promise.all(drawn.slice(at, at + atATime).map(faultOf));
      faults.push(...batch.filter((fault) => fault !== undefined));
    }
    expect(faults).toEqual([]);
    // It came to what operations do, and to each kind of refusal.
    const wanted = [200, 201, 204, 400, 404, 415, 422];
    expect([...statuses]).toEqual(expect.arrayContaining(wanted));
  },
);
