// The rules of a bundle in the kernel of this machine, in a network of their own. The machine's public addresses are on
// its own interface, as with Hetzner, DigitalOcean and many others: what a relay of TURN sends there comes by `lo`.
import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../support/deployments/bundle.ts";
import { optionsFrom } from "../support/deployments/bundle-cases.ts";
import { textOf } from "../support/deployments/bundle-checks.ts";
import { isolatedNetwork } from "../support/deployments/debian-tools.ts";

const network = isolatedNetwork();
const open = { tcp: [80, 443, 1935, 7881], udp: [3478, 7885, 50_000, 60_000] };
const closed = {
  tcp: [22, 5060, 5349, 6379, 6789, 7880, 8080, 9090, 9096],
  udp: [5060, 10_000, 20_000],
};

/** What arrives of packets that a machine sends to its own addresses and to loopback. */
function arrivals(typed: object): string[] {
  using folder = mkdtempDisposableSync(join(tmpdir(), "firewall-"));
  const rules = join(folder.path, "firewall.nft");
  const options = optionsFrom({
    domain: "livekit.example.com",
    provider: "hetzner",
    addresses: "dual",
    ingress: "both",
    ...typed,
  });
  writeFileSync(rules, textOf(bundle(options), "firewall.nft"));
  const [command = "", ...first] = network ?? [];
  const probe = join(import.meta.dirname, "../support/deployments/firewall-probe.py");
  const { stdout, stderr, status } = spawnSync(
    command,
    [...first, "/usr/bin/python3", probe, rules],
    {
      input: JSON.stringify({
        tcp: [...open.tcp, ...closed.tcp],
        udp: [...open.udp, ...closed.udp],
      }),
      encoding: "utf8",
      env: { ...process.env, PATH: `/usr/bin:${process.env.PATH}:/usr/sbin:/sbin` },
    },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout.split("\n").filter(Boolean).sort();
}

const publicAddresses = ["203.0.113.5", "2001:db8::5"];
const list = (addresses: readonly string[], { tcp, udp }: typeof open) =>
  addresses.flatMap((address) => [
    ...tcp.map((port) => `tcp ${address} ${port}`),
    ...udp.map((port) => `udp ${address} ${port}`),
  ]);

test.runIf(network).each([
  {
    what: "strict, with networks for SSH and SIP that hold its own address",
    typed: {
      firewall: { preset: "strict" },
      sshSource: ["203.0.113.0/24", "2001:db8::/32"],
      sip: { kind: "on", sources: ["203.0.113.0/24", "2001:db8::/32"] },
    },
  },
  { what: "standard, with SSH open to everybody", typed: {} },
])(
  "A1: what a machine sends to its own public address meets the rules for everybody, and never SSH: $what",
  ({ typed }) => {
    const relays = ["relay one second", "relay other third"];
    const loopback = ["127.0.0.1", "::1"];
    expect(arrivals(typed)).toEqual(
      [
        ...relays,
        ...list(publicAddresses, open),
        ...list(loopback, open),
        ...list(loopback, closed),
      ].sort(),
    );
  },
);
