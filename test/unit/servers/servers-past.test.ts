import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { diskSize, diskUsed } from "../../../app/features/servers/trial/simulated-past.ts";
import { givePast } from "../../../scripts/dev/seed/servers-past.ts";

const past = { server: "33333333-3333-4333-8333-333333333333", busiest: 4, wasDown: false };

/** How often a console that answers with this status is asked to give two servers a past. */
async function requestsFor(status: number): Promise<number> {
  let requests = 0;
  const console = createServer((request, response) => {
    requests += 1;
    request.resume().on("end", () => response.writeHead(status).end());
  }).listen(0, "127.0.0.1");
  await once(console, "listening");
  const { port } = console.address() as AddressInfo;
  try {
    await givePast(`http://127.0.0.1:${port}`, "w-1", [past, past]);
  } finally {
    console.close();
  }
  return requests;
}

test("where servers can be given no past the seed goes on without, and every failure of it is said", async () => {
  expect(await requestsFor(200)).toBe(2);
  expect(await requestsFor(404)).toBe(1);
  await expect(requestsFor(500)).rejects.toThrow("500");
});

test("the disk of a seeded server is as full as its finding says (Low)", () => {
  expect(diskUsed({ disk: 0.88 }) / diskSize).toBeCloseTo(0.88, 3);
  expect(diskUsed({}) / diskSize).toBeCloseTo(0.4, 3);
});
