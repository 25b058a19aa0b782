import { spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { expect, test, vi } from "vitest";
import { bundle } from "../support/deployments/bundle.ts";
import { pairwiseOptions } from "../support/deployments/bundle-cases.ts";
import { at, read, textOf } from "../support/deployments/bundle-checks.ts";

vi.setConfig({ testTimeout: 60_000 });

// What real machines showed to be wrong (November 2026), each absent here.
const all = pairwiseOptions(0).map((options) => ({ options, made: bundle(options) }));

test("Redis takes writes after a snapshot that failed, so that a full disk ends no new room", () => {
  for (const { options, made } of all)
    if (options.redis.kind === "bundled")
      expect(textOf(made, "redis.conf")).toContain("\nstop-writes-on-bgsave-error no\n");
});

test("the address of Docker's bridge is offered to no client", () => {
  for (const { made } of all)
    expect(at(read(textOf(made, "livekit.yaml")), "rtc.interfaces.excludes")).toEqual(["docker0"]);
});

/** What Compose runs to see whether Caddy is well. */
function caddyHealth(made: (typeof all)[number]["made"]): string {
  return String(at(read(textOf(made, "docker-compose.yaml")), "services.caddy.healthcheck.test.1"));
}

test("Caddy's health is read from the system, because it logs an error for a connection that says nothing", () => {
  for (const { options, made } of all)
    expect(caddyHealth(made)).toBe(
      `grep -q ':${hexadecimal(options.proxy === "existing" ? 8443 : 443)} 0*:0000 0A' /proc/net/tcp*`,
    );
});

function hexadecimal(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

test("Caddy's files lie beside its certificates, where a read-only container lets it write", () => {
  for (const { made } of all) {
    const caddy = at(read(textOf(made, "docker-compose.yaml")), "services.caddy");
    expect(at(caddy, "environment.HOME")).toBe("/data");
    expect(at(caddy, "volumes")).toContain("./data/caddy:/data");
  }
});

test.each(["127.0.0.1", "::"])(
  "that health check is true while somebody listens on %s, and false afterwards",
  async (host) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const [first] = all;
    const health = (first ? caddyHealth(first.made) : "").replace(
      /:[0-9A-F]{4} /,
      `:${hexadecimal(port)} `,
    );
    const check = () => spawnSync("sh", ["-c", health]).status;
    expect(check()).toBe(0);
    await new Promise((resolve) => server.close(resolve));
    expect(check()).not.toBe(0);
  },
);
