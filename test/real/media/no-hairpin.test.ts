// A cloud whose NAT does not lead the machine back to its own public address.
import { afterAll, beforeAll, expect, test } from "vitest";
import { findingsSection } from "~/features/deployments/bundle/files/readme/readme-findings.ts";
import { call, type Key } from "./call.ts";
import { keyOf, type Running, startMachine } from "./running.ts";

let running: Running;
let key: Key;

beforeAll(async () => {
  running = await startMachine({ hairpin: false });
  await running.machine.firstBoot();
  key = await keyOf(running.machine);
});
afterAll(() => running?.[Symbol.asyncDispose]());

test("without hairpin media arrives directly", async () => {
  const { heard, output } = await call(running.world, key);
  expect(heard, output).toBe(true);
});

test.for(["udp", "tls"] as const)(
  "without hairpin no media passes a relay: %s",
  async (servers) => {
    const { heard, output } = await call(running.world, key, {
      servers,
      relay: true,
      patience: "8s",
    });
    expect(heard).toBe(false);
    expect(output).toContain("0 packets arrived");
  },
);

test("the doctor reports that the network has no hairpin, and nothing else that does not work", async () => {
  const { output, status } = await running.machine.run("livekit-deploy doctor --report");
  const critical = output.split("\n").filter((line) => line.split("\t")[1] === "critical");
  expect(critical.map((line) => line.split("\t")[0])).toEqual(["turn.hairpin"]);
  expect(status).toBe(2);
});

test("after what the README says against it media passes relays, and the doctor is content", async () => {
  await running.machine.done(linesOfReadme());
  for (const servers of ["udp", "tls"] as const) {
    const { heard, output } = await call(running.world, key, { servers, relay: true });
    expect(heard, output).toBe(true);
  }
  const { output } = await running.machine.run("livekit-deploy doctor --report");
  expect(output).not.toContain("\tcritical\t");
});

/** What the README has under "When the network brings nothing back". There is no sudo on this machine. */
function linesOfReadme(): string {
  const [, chapter = ""] = findingsSection.split("### When the network brings nothing back");
  const [, lines = ""] = /```sh\n([\s\S]*?)```/.exec(chapter) ?? [];
  return lines.replace("sudo ", "");
}
