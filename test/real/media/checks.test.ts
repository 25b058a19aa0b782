// What a check from outside sees of the real LiveKit and Caddy: the answers that its fake imitates, and each fault.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { RungResult } from "~/features/deployments/checks/check.ts";
import { newAuthority } from "../../../fakes/internet/authority.ts";
import { type Running, startMachine } from "./running.ts";
import { outcomeOf } from "./world/commands.ts";
import { address } from "./world/network.ts";

const domain = "livekit.example.com";
const well = { dns: "ok", tcp: "ok", tls: "ok", https: "ok", turn: "ok", ice: "ok" };
let running: Running;

beforeAll(async () => {
  running = await startMachine({});
  await running.machine.firstBoot();
});
afterAll(() => running?.[Symbol.asyncDispose]());
afterEach(() => running.world.network.letThrough("all"));

/** What each rung of a check from the client's network comes to. */
async function check(roots = running.world.trusted) {
  const program = join(import.meta.dirname, "outside-check.ts");
  const { status, output } = await outcomeOf([
    ...running.world.network.at("client"),
    ...[process.execPath, "--no-warnings", program, roots, domain, address.machine.public],
  ]);
  expect(status, output).toBe(0);
  const results = JSON.parse(output) as RungResult[];
  return Object.fromEntries(results.map(({ rung, outcome, code }) => [rung, code ?? outcome]));
}

test("every rung of a machine with which all is well is right", async () => {
  expect(await check()).toEqual(well);
});

test("that UDP is blocked is not to be seen by a check", async () => {
  running.world.network.letThrough("tcp-only");
  expect(await check()).toEqual(well);
});

test("a firewall that lets 443 through alone closes 7881 and nothing else", async () => {
  running.world.network.letThrough("443-only");
  expect(await check()).toEqual({ ...well, ice: "ice.closed" });
});

test("a certificate that nobody trusts is told from a closed port", async () => {
  const others = join(running.world.folder, "others.pem");
  writeFileSync(others, newAuthority().cert);
  expect(await check(others)).toMatchObject({
    ...{ tcp: "ok", tls: "cert.invalid", https: "skipped", turn: "turn.tls.silent", ice: "ok" },
  });
});

test("a TURN that is off is told from LiveKit, which runs", async () => {
  const dial = (from: number, to: number) =>
    running.machine.done(
      `cd /opt/livekit && sed -i s/127.0.0.1:${from}/127.0.0.1:${to}/ caddy.yaml && docker compose up -d --force-recreate --no-deps --wait caddy`,
    );
  await dial(5349, 5350);
  expect(await check()).toEqual({ ...well, turn: "turn.tls.silent" });
  await dial(5350, 5349);
  expect(await check()).toEqual(well);
});
