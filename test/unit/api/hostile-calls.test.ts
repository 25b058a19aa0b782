import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { answerCall, matching } from "~/features/api/answer";
import type { ApiCall, Sources } from "~/features/api/call";
import { cursorOf, placeIn } from "~/features/api/cursor";
import { operations } from "~/features/api/operations/operations";
import { scopes } from "~/features/api/scopes";

/** Nothing may be asked of them: a call that reaches one of these is not refused early enough. */
const reached: string[] = [];
const closed = (name: string) =>
  new Proxy(
    {},
    {
      get: (_, member) => () => {
        reached.push(`${name}.${String(member)}`);
        return Promise.reject(new Error("It was reached."));
      },
    },
  );
const sources = {
  ...{ records: closed("records"), fleets: closed("fleets"), bundles: closed("bundles") },
  now: 0,
} as unknown as Sources;

const call = (of: Partial<ApiCall>): ApiCall => ({
  ...{
    method: "GET",
    path: "/servers",
    query: "",
    body: "",
    accept: null,
    ifMatch: null,
    ifNoneMatch: null,
  },
  ...{ key: "key", requestId: "request", serversUrl: undefined },
  token: {
    ...{ id: "t", workspace: "w", name: "CI", label: "Token CI", scopes: [...scopes] },
    endsAt: "2027-01-01T00:00:00Z",
  },
  ...of,
});

const problemOf = async (of: Partial<ApiCall>) => {
  reached.length = 0;
  const { status, body } = await answerCall(call(of), sources);
  return { status, code: JSON.parse(body ?? "{}").code as string, reached: [...reached] };
};

const places = [z.int(), z.tuple([z.number(), z.string()]), z.string()] as const;

test("a cursor comes back as the place that it was made of", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e12 }), fc.string({ maxLength: 20 }), (at, id) => {
      expect(placeIn(cursorOf(at), places[0])).toBe(at);
      expect(placeIn(cursorOf([at, id]), places[1])).toEqual([at, id]);
    }),
  );
});

test("whatever else stands for a cursor names no place, and nothing throws", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.base64String({ maxLength: 300 }),
    fc.json().map((text) => cursorOf(JSON.parse(text)).slice(0, 200)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      for (const schema of places) {
        const place = placeIn(text, schema as z.ZodMiniType);
        if (place !== undefined) expect(schema.safeParse(place).success).toBe(true);
      }
    }),
  );
});

test("a made-up id, path, query or key reaches no data, and is answered below 500", async () => {
  const part = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.uuid().map((id) => `${id}x`),
    fc.constantFrom("", "..", "%2e%2e", "null", "__proto__", "constructor", "-1", "1e309", "0"),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operations.filter(({ params }) => Object.keys(params).length > 0)),
      part,
      async ({ method, path }, made) => {
        fc.pre(!/^[0-9a-f-]{36}$/.test(made));
        const bad = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(made));
        const answer = await problemOf({ method, path: bad, body: "{}" });
        expect([answer.code, answer.reached]).toEqual(["not-found", []]);
      },
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operations.filter(({ params }) => Object.keys(params).length === 0)),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.string({ maxLength: 30 }), {
        minKeys: 1,
      }),
      async ({ method, path, query }, sent) => {
        fc.pre(Object.keys(sent).every((name) => !Object.hasOwn(query, name)));
        const answer = await problemOf({ method, path, query: String(new URLSearchParams(sent)) });
        expect([answer.code, answer.reached]).toEqual(["invalid-query", []]);
      },
    ),
  );
});

test.each([
  ["cursor=nonsense", "/servers"],
  ["cursor=MQ&cursor=MQ", "/servers"],
  ["token=lkd_w_1", "/servers"],
  ["state=OPEN", "/incidents"],
  ["days=2", "/incidents"],
  ["server=1", "/incidents"],
  ["page=2", "/incidents"],
])("?%s is refused at %s by its name", async (query, path) => {
  const answer = await problemOf({ path, query: `?${query}` });
  expect(answer).toEqual({ status: 400, code: "invalid-query", reached: [] });
});

const deployment = {
  name: "Production",
  options: { domain: "a.example.com", email: "a@example.com" },
};

test.each<[string, unknown, string]>([
  ["no JSON", "{", "invalid-json"],
  ["nothing", "", "invalid-json"],
  ["a list", [], "invalid-body"],
  ["null", null, "invalid-body"],
  ["no options", { name: "Production" }, "invalid-body"],
  ["a field too many", { ...deployment, workspace: "w" }, "invalid-body"],
  ["an empty name", { ...deployment, name: " " }, "invalid-body"],
  ["a line break in the name", { ...deployment, name: "a\nb" }, "invalid-body"],
  ["a long name", { ...deployment, name: "a".repeat(81) }, "invalid-body"],
  ["a prototype", '{"name":"a","options":{},"__proto__":{"x":1}}', "invalid-body"],
])("a body with %s makes nothing, and says what is wrong", async (_, body, code) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await problemOf({ method: "POST", path: "/deployments", body: text });
  expect([answer.code, answer.reached]).toEqual([code, []]);
});

test.each(["", "a b", "ü", "x".repeat(101), '"'])(
  "a change with the key '%s' is refused before anything is done",
  async (key) => {
    const answer = await problemOf({
      ...{ method: "POST", path: "/deployments", body: JSON.stringify(deployment), key },
    });
    expect([answer.status, answer.code, answer.reached]).toEqual([400, "invalid-key", []]);
  },
);

test("a source that fails is 503 with a way to try again, and says nothing of itself", async () => {
  const { status, headers, body } = await answerCall(call({ path: "/servers" }), sources);
  expect([status, headers["retry-after"]]).toEqual([503, "5"]);
  expect(body).not.toContain("reached");
});

test("a method that an address does not have is 405 with those that it has", () => {
  expect(matching("PATCH", "/deployments")).toEqual({ allowed: ["GET", "POST"] });
  expect(matching("GET", "/nothing")).toEqual({ allowed: [] });
});
