import { expect, test, vi } from "vitest";
import { callerOf } from "~/features/agents/api/caller.server";
import { newToken } from "~/features/agents/api/token";
import type { AppContext } from "~/http/app-context";

test("an agent whose calls cannot be counted is answered when to come back, and the log says why", async () => {
  using log = vi.spyOn(console, "error").mockReturnValue();
  const limit = () => Promise.reject(new Error("overloaded"));
  const bindings = { API_LIMIT: { limit }, API_ADDRESS_LIMIT: { limit } } as unknown as Env;
  const secrets = { COOKIE_SECRET: [btoa("x".repeat(32))], FORMER_COOKIE_SECRETS: [] };
  const configuration = secrets as unknown as AppContext["configuration"];
  const context = { bindings, configuration, requestId: "request-1" } as AppContext;
  const headers = { authorization: `Bearer ${await newToken(secrets)}` };
  const request = new Request("https://example.com/", { headers });
  const caller = await callerOf(request, context, "usage");
  if (caller.ok) throw new Error("The call was let through.");
  expect(caller.refusal.status).toBe(503);
  expect(caller.refusal.headers.get("retry-after")).toBe("5");
  expect(await caller.refusal.json()).toMatchObject({ status: 503 });
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/overloaded/));
});
