import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchWithTimeout } from "~/platform/fetch-with-timeout.server";

/** The requests that came, as method and path. The first of each path finds its connection closed. */
const received: string[] = [];
const server = createServer((request, response) => {
  const line = `${request.method} ${request.url}`;
  if (!received.includes(line)) {
    received.push(line);
    request.socket.destroy();
    return;
  }
  received.push(line);
  response.end("answered");
});
let url: string;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.each(["/rest/v1/workspaces", "/auth/v1/.well-known/jwks.json", "/auth/v1/user"])(
  "a read of %s whose connection was closed is asked once more",
  async (path) => {
    const response = await fetchWithTimeout(`${url}${path}`);
    expect(await response.text()).toBe("answered");
  },
);

test.each([
  ["POST", "/rest/v1/rpc/change_plan"],
  ["POST", "/auth/v1/token"],
  ["GET", "/tokeninfo"],
])("%s %s is asked once, because the first may have done its work", async (method, path) => {
  await expect(fetchWithTimeout(`${url}${path}`, { method })).rejects.toThrow();
  expect(received.filter((line) => line === `${method} ${path}`)).toHaveLength(1);
});
