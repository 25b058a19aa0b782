// A first boot on Debian 13, from its own packages; the other files boot the system that the proof runs on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./call.ts";
import { makeDebian13 } from "./machine/debian-13.ts";
import { keyOf, type Running, startMachine } from "./running.ts";

let running: Running;
let debian: Awaited<ReturnType<typeof makeDebian13>>;

beforeAll(async () => {
  debian = await makeDebian13();
  running = await startMachine({}, { root: debian.root });
}, 600_000);
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await debian?.[Symbol.asyncDispose]();
});

test("a first boot on Debian 13 installs its packages by their names there, and media arrives", async () => {
  const { machine, world } = running;
  expect(await machine.read("/etc/os-release")).toContain('VERSION_ID="13"');
  expect((await machine.run("command -v docker || command -v nft")).output).toBe("");
  await machine.firstBoot();
  expect(await machine.done("dpkg -S /usr/libexec/docker/cli-plugins/docker-compose")).toContain(
    "docker-compose: ",
  );
  const key = await keyOf(machine);
  for (const servers of ["udp", "tls"] as const) {
    const { heard, report, output } = await call(world, key, { servers, relay: true });
    expect(heard, output).toBe(true);
    expect(report?.subscriber).toMatchObject({ local: "relay", relay: servers });
  }
  const { output } = await machine.run("livekit-deploy doctor --report");
  expect(output).toMatch(/^clock\.unsynchronized\t[^\n]*\n$/);
});
