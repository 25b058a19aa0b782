// A backup of one version on a machine of another, and the other way: whatever either has opened in its firewall and in
// LiveKit is there again, and nothing of the other.
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Key } from "./call.ts";
import { consoleUrl } from "./console.ts";
import { keyOf, type Running, startMachine } from "./running.ts";

const deployment = "11111111-1111-4111-8111-111111111111";
const version = (number: number, answers: Record<string, unknown>) => ({
  answers,
  connection: { url: consoleUrl, version: { deployment, number } },
});
const three = version(3, { turnUdpPort: "3478", mediaUdp: "range" });
const five = version(5, { turnUdpPort: "443", mediaUdp: "single", security: "high" });

let running: Running;
let key: Key;
const backups: Record<number, string> = {};
const rulesets: Record<number, string> = {};

const done = (command: string) => running.machine.done(command);

/** That the machine serves this version whole: its own TURN/UDP port carries media, and no other one does. */
async function expectVersion(number: 3 | 5): Promise<void> {
  expect(await done("head -n 1 /opt/livekit/version.txt")).toContain(` ${number} `);
  const otherPort = number === 3 ? "443-tcp-and-udp" : "443-and-turn-udp";
  const portOfVersion = number === 3 ? "443-and-turn-udp" : "443-tcp-and-udp";
  running.world.network.letThrough(otherPort);
  const refused = await call(running.world, key, { servers: "udp", relay: true, patience: "8s" });
  expect(refused.heard, refused.output).toBe(false);
  running.world.network.letThrough(portOfVersion);
  const { heard, report, output } = await call(running.world, key, { servers: "udp", relay: true });
  expect(heard, output).toBe(true);
  for (const way of [report?.publisher, report?.subscriber])
    expect(way).toMatchObject({ local: "relay", relay: "udp" });
  running.world.network.letThrough("all");
}

async function apply(bundle: typeof three): Promise<void> {
  const zip = await running.machine.bring(bundle);
  expect(await done(`livekit-deploy apply ${zip} --now`)).toContain("The bundle is in use.");
}

/** Makes a backup of the version, and holds the firewall that the kernel has now against it. */
async function backUp(number: number): Promise<void> {
  const output = await done("livekit-deploy backup");
  backups[number] = /Backup made: (\S+)/.exec(output)?.[1] ?? "";
  rulesets[number] = await ruleset();
}
const ruleset = () => done("nft -s list table inet livekit");

beforeAll(async () => {
  running = await startMachine({}, three);
  await running.machine.firstBoot();
  await done("systemctl stop livekit-health.timer");
  key = await keyOf(running.machine);
  // User data has no room for what names the version: it comes with the first bundle that is applied.
  await apply(three);
});
afterAll(() => running?.[Symbol.asyncDispose]());

test("version 5 takes the place of version 3, with TURN/UDP at another port", async () => {
  await backUp(3);
  await expectVersion(3);
  await apply(five);
  await backUp(5);
  expect(rulesets[5]).not.toBe(rulesets[3]);
  await expectVersion(5);
});

test.for([
  [3, 5],
  [5, 3],
] as const)(
  "M2: a backup of version %i restores onto a machine of version %i, and media arrives over TURN/UDP",
  async ([backup, here]) => {
    const output = await done(`livekit-deploy restore ${backups[backup]} --now`);
    expect(output).toMatch(
      new RegExp(`^The backup is of version ${backup}, this machine has version ${here}\\.`),
    );
    expect(await ruleset()).toBe(rulesets[backup]);
    await expectVersion(backup);
    const { output: findings } = await running.machine.run("livekit-deploy doctor --report");
    expect(findings).toMatch(/^clock\.unsynchronized\t[^\n]*\n$/);
  },
);
