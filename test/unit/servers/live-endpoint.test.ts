import { afterEach, expect, test, vi } from "vitest";
import { answerPage } from "../../../app/features/servers/live/endpoint.server.ts";

afterEach(() => vi.restoreAllMocks());

test("a page whose socket cannot be opened gets a sentence that says so, and the fault is logged", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const limit = () => Promise.reject(new TypeError("The object was reset"));
  const env = { MACHINE_LIMIT: { limit } } as unknown as ServersEnv;
  const request = new Request("https://servers.example.com/v1/live", {
    headers: { upgrade: "websocket" },
  });
  const answer = await answerPage(request, env);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toMatch(/cannot be reached right now/);
  expect(logged.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
    {
      ...{ level: "error", message: "A page's socket was not opened", name: "TypeError" },
      error: "The object was reset",
    },
  ]);
});
