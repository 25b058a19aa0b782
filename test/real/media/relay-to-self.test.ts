// A machine whose public address lies on its own interface, and a guest who asks TURN's relays for its closed ports.
import { afterEach, describe, expect, test } from "vitest";
import { pollUntil } from "../../support/site/poll.ts";
import { call, type Key, throughRelay } from "./call.ts";
import { relayingTag } from "./machine/images.ts";
import { keyOf, type Running, startMachine } from "./running.ts";
import { address } from "./world/network.ts";

let running: Running;
let key: Key;

/** Fakes of SSH and SIP, each with a word of its own for whatever comes. */
const closedPorts = `
import socket, threading
def udp():
    sip = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sip.bind(("", 5060))
    while True:
        sip.sendto(b"SIP/2.0 200 OK", sip.recvfrom(1500)[1])
threading.Thread(target=udp, daemon=True).start()
ssh = socket.create_server(("", 22))
while True:
    guest, _ = ssh.accept()
    guest.sendall(b"SSH-2.0-fake")
    guest.close()
`;
const ssh = `tcp:${address.machine.public}:22`;
const sip = `udp:${address.machine.public}:5060`;

async function start(versions: Record<string, string>): Promise<void> {
  running = await startMachine(
    { nat: false },
    {
      answers: {
        versions,
        firewall: { preset: "strict" },
        sshSource: ["192.0.2.0/24", "203.0.113.0/24"],
      },
    },
  );
  const { machine } = running;
  await machine.firstBoot();
  key = await keyOf(machine);
  await machine.done(
    `cat >/run/closed-ports.py && systemd-run /usr/bin/python3 /run/closed-ports.py`,
    closedPorts,
  );
  await pollUntil(
    () => machine.done("ss -Hlnt sport = :22"),
    (listeners) => listeners !== "",
  );
}
const openFirewall = () => running.machine.done("nft delete table inet livekit");

async function expectMedia(): Promise<void> {
  for (const servers of ["udp", "tls"] as const) {
    const { heard, report, output } = await call(running.world, key, { servers, relay: true });
    expect(heard, output).toBe(true);
    expect(report?.subscriber).toMatchObject({ local: "relay", relay: servers });
  }
}

afterEach(() => running?.[Symbol.asyncDispose]());

describe("A1: a relay to SSH and SIP at the machine's own public address is refused", () => {
  test("by the firewall alone, where an old LiveKit relays to every port", async () => {
    await start({ livekit: relayingTag });
    for (const to of [ssh, sip])
      expect(await throughRelay(running.world, key, to)).toMatchObject({ status: 1 });
    await expectMedia();
    // Without the firewall this LiveKit lets anybody through, so nothing else has refused them.
    await openFirewall();
    expect(await throughRelay(running.world, key, ssh)).toEqual({
      status: 0,
      output: "SSH-2.0-fake",
    });
    expect(await throughRelay(running.world, key, sip)).toEqual({
      status: 0,
      output: "SIP/2.0 200 OK",
    });
  });

  test("by LiveKit alone, where the firewall is open", async () => {
    await start({});
    await openFirewall();
    for (const to of [ssh, sip])
      expect(await throughRelay(running.world, key, to)).toMatchObject({ status: 1 });
    await expectMedia();
  });
});

test("the doctor finds nothing on a machine whose public address is its own", async () => {
  await start({});
  const { output } = await running.machine.run("livekit-deploy doctor --report");
  expect(output).toMatch(/^clock\.unsynchronized\t[^\n]*\n$/);
});
