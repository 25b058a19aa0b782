import { expect, test, vi } from "vitest";
import { callerOf } from "~/agent-api/caller.server";
import type { RequestContext } from "~/request/request-context";

test("an agent whose calls cannot be counted is told to come back, and the log says why", async () => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  const limit = () => Promise.reject(new Error("overloaded"));
  const bindings = { API_LIMIT: { limit }, API_ADDRESS_LIMIT: { limit } } as unknown as Env;
  const asked = { bindings, requestId: "request-1" } as RequestContext;
  const headers = { authorization: `Bearer lkd_${"a".repeat(43)}` };
  const caller = await callerOf(new Request("https://example.com/", { headers }), asked);
  if (caller.ok) throw new Error("The call was let through.");
  expect(caller.refusal.status).toBe(503);
  expect(caller.refusal.headers.get("retry-after")).toBe("5");
  expect(await caller.refusal.json()).toMatchObject({ status: 503 });
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/request-1.*overloaded/));
});
