import { expect, test } from "vitest";
import { serveOnLoopback } from "../../../fakes/loopback-server.ts";

/** workerd closes a connection that was idle for this long, in seconds. */
const workerdKeeps = 5;

test("a fake keeps idle connections longer than workerd, so no request is lost on one that it closes", async () => {
  const server = await serveOnLoopback(0, () => new Response("ok"));
  try {
    const { headers } = await fetch(server.url);
    const [, seconds] = /timeout=(\d+)/.exec(headers.get("keep-alive") ?? "") ?? [];
    expect(Number(seconds)).toBeGreaterThan(2 * workerdKeeps);
  } finally {
    await server.close();
  }
});
