import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AppContext } from "~/http/app-context";

const context = {
  configuration: {
    SUPABASE_URL: "https://project.supabase.co",
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_x",
    SUPABASE_SECRET_KEY: "sb_secret_x",
  },
  requestId: "a request",
  waitUntil: () => undefined,
} as unknown as AppContext;

const claims = { sub: "ada", session_id: "her session", iat: 1, aal: "aal1" };

/** What the database says of every session, and how often it was asked. */
let database: { answer: () => string | Promise<string>; questions: number };
let livenessOf: () => Promise<string | undefined>;
let forgetSessionsOf: (userId: string) => void;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  database = { answer: () => "alive", questions: 0 };
  vi.stubGlobal("fetch", async (input: RequestInfo | URL) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (pathname !== "/rest/v1/rpc/check_session") throw new Error(`Nobody answers ${pathname}`);
    database.questions++;
    return Response.json(await database.answer());
  });
  // What an isolate remembers is kept by the module.
  vi.resetModules();
  const module = await import("~/features/auth/session/live-session.server");
  livenessOf = () => module.livenessOf(claims, context);
  forgetSessionsOf = module.forgetSessionsOf;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function advanceClock(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1_000);
}

test("a copied cookie of a session that another isolate ended reads for 45 seconds and no longer", async () => {
  expect(await livenessOf()).toBe("alive");
  database.answer = () => "ended";
  advanceClock(44);
  expect(await livenessOf()).toBe("alive");
  expect(database.questions).toBe(1);
  advanceClock(2);
  expect(await livenessOf()).toBe("ended");
  // That it ended is not remembered either: each request hears it from the database.
  expect(await livenessOf()).toBe("ended");
  expect(database.questions).toBe(3);
});

test("in the isolate that ended the session a copied cookie reads nothing from then on", async () => {
  expect(await livenessOf()).toBe("alive");
  database.answer = () => "ended";
  forgetSessionsOf("ada");
  expect(await livenessOf()).toBe("ended");
});

test("the end of somebody else's sessions costs no question", async () => {
  await livenessOf();
  forgetSessionsOf("adam");
  expect(await livenessOf()).toBe("alive");
  expect(database.questions).toBe(1);
});

test("an answer that was under way when the sessions ended is not remembered", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  database.answer = () => promise;
  const early = livenessOf();
  await vi.waitUntil(() => database.questions === 1);
  forgetSessionsOf("ada");
  resolve("alive");
  expect(await early).toBe("alive");
  database.answer = () => "ended";
  expect(await livenessOf()).toBe("ended");
});

test("a request that comes after the sessions ended gets no answer from before", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  database.answer = () => promise;
  const early = livenessOf();
  await vi.waitUntil(() => database.questions === 1);
  forgetSessionsOf("ada");
  database.answer = () => "ended";
  const late = livenessOf();
  resolve("alive");
  expect([await early, await late]).toEqual(["alive", "ended"]);
});
