import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { rateLimit } from "~/features/auth/guard.server";
import { type Session, sessionContext } from "~/features/auth/session/session.server";
import { type AppContext, appContext } from "~/http/app-context";

/** The keys that a route counts, one after the other, when it is sent these methods. */
async function countedKeys(methods: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  const binding = {
    async limit({ key }: { key: string }) {
      keys.push(key);
      return { success: true };
    },
  };
  const context = new RouterContextProvider();
  context.set(appContext, { bindings: { CHECKOUT_LIMIT: binding } } as unknown as AppContext);
  const visitor = { state: "signed-in", userId: "ada" };
  context.set(sessionContext, { visitor: async () => visitor } as unknown as Session);
  const count = rateLimit("CHECKOUT_LIMIT", () => new Response(null, { status: 429 }), "billing");
  for (const method of methods) {
    const request = new Request("https://site.example/dashboard/billing", { method });
    await count({ request, context } as never, async () => new Response());
  }
  return keys;
}

test("a reading counts once, and the loaders around a post do not count it again", async () => {
  expect(await countedKeys(["POST"])).toEqual([]);
  expect(await countedKeys(["POST", "GET"])).toEqual(["billing:ada"]);
});
