import { expect, test, vi } from "vitest";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { at, read, textOf } from "../../../support/deployments/bundle-checks.ts";
import { machine } from "../../../support/deployments/machine.ts";
import { sample } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

const typed = {
  domain: "livekit.example.com",
  email: "you@example.com",
  provider: "hetzner",
  addresses: "ipv6",
};
const made = bundle(optionsFrom({ ...typed, ingress: "both" }));

/** What is refused, as `path: message`. */
function refused(more: Record<string, unknown>): string[] {
  const { problems = [] } = parseOptions({ ...typed, ...more });
  return problems.map(({ path, message }) => `${path}: ${message}`);
}

test("a machine with IPv6 only has AAAA records, and nothing of it is open to IPv4", () => {
  expect(new Set(made.dnsRecords.map(({ type }) => type))).toEqual(new Set(["AAAA"]));
  for (const { audience, sources } of made.ports)
    if (audience !== "internal") expect(sources).toEqual(["::/0"]);
  expect(textOf(made, "firewall.nft")).not.toMatch(/nfproto ipv4|^ +(iifname \S+ \S+ )?ip saddr/m);
  const script = textOf(made, "create-vm.sh");
  expect(script).toContain('--without-ipv4 --primary-ipv6 "$NAME-6"');
  expect(script).not.toMatch(/0\.0\.0\.0|--type ipv4/);
  expect(made.warnings.find(({ path }) => path === "addresses")?.message).toContain("Docker Hub");
});

test("LiveKit offers IPv6 alone, gives TURN relays of it, and asks no STUN", () => {
  const livekit = read(textOf(made, "livekit.yaml"));
  expect(at(livekit, "rtc.ips.excludes")).toEqual(["0.0.0.0/0"]);
  expect(at(livekit, "rtc.use_external_ip")).toBe(false);
  expect(at(livekit, "turn.bind_addresses")).toEqual(["::"]);
  expect(at(read(textOf(made, "ingress.yaml")), "rtc_config.ips.excludes")).toEqual(["0.0.0.0/0"]);
  // A relay is of the family in which Caddy dials.
  expect(textOf(made, "caddy.yaml")).toContain("[::1]:5349");
  const usual = bundle(optionsFrom({ ...typed, addresses: "dual" }));
  expect(at(read(textOf(usual, "livekit.yaml")), "turn.bind_addresses")).toBeUndefined();
  expect(textOf(usual, "caddy.yaml")).not.toContain("::1");
});

test("IPv6 only is refused where create-vm.sh cannot make it, and with what needs IPv4", () => {
  expect(refused({})).toEqual([]);
  expect(refused({ provider: "other" })).toEqual([]);
  for (const provider of ["aws", "azure", "digital-ocean", "google-cloud"])
    expect(refused({ provider })).toEqual([expect.stringMatching(/^addresses: .*hetzner/)]);
  expect(refused({ sshSource: ["203.0.113.0/24"] })).toEqual([
    "sshSource.0: This machine has IPv6 only. Choose dual, or an IPv6 range.",
  ]);
  expect(refused({ versions: { livekit: "v1.13.4" } })).toEqual([
    "versions.livekit: TURN over IPv6 alone needs LiveKit v1.13.5 or later.",
  ]);
  for (const livekit of ["v1.13.5", "v1.13.11", "v1.14.0", "v2.0.0"])
    expect(refused({ versions: { livekit } })).toEqual([]);
});

const addresses = [
  "2: eth0    inet6 fd12:3456::7/64 scope global \\       valid_lft forever preferred_lft forever",
  "2: eth0    inet6 2001:db8::5/64 scope global \\       valid_lft forever preferred_lft forever",
];

test("a machine with IPv6 only gives LiveKit its own public address, without metadata", () => {
  for (const provider of sample(["hetzner", "other"], 1)) {
    using server = machine({ provider, addresses: "ipv6" });
    server.set("no-metadata");
    server.command("ip", `printf '%s\\n' '${addresses.join("' '")}'`);
    expect(server.run("before-start").status).toBe(0);
    const addressFile = "NODE_IP=2001:db8::5\nLIVEKIT_RTC_USE_EXTERNAL_IP=false\n";
    expect(server.read("opt/livekit/state/address.env")).toBe(addressFile);
    server.command("ip", `echo '${addresses[0]}'`);
    expect(server.run("before-start").output).toContain("no public IPv6 address yet");
    expect(server.read("opt/livekit/state/address.env")).toBe(addressFile);
  }
});

test("the doctor asks for AAAA records of a machine with IPv6 only", () => {
  using server = machine({ provider: "hetzner", addresses: "ipv6" });
  server.write("opt/livekit/state/address.env", "NODE_IP=2001:db8::5\n");
  const name = "address-livekit.example.com";
  server.command("getent", `[ "$1" = ahostsv6 ] && cat "$MACHINE/${name}"`);
  const row = () => /^\S+ +DNS livekit[\s\S]*?(?=\n\S)/m.exec(server.run("doctor").output)?.[0];
  server.set(name, "2001:db8::5 STREAM\n2001:db8::5 DGRAM\n");
  expect(row()).toMatch(/^ok +DNS livekit\.example\.com, AAAA +2001:db8::5$/m);
  server.set(name, "2001:db8::6 STREAM\n");
  expect(row()).toMatch(/FAIL.*not to 2001:db8::5\n.*livekit\.example\.com AAAA 2001:db8::5;/);
  server.set(name, "");
  expect(row()).toMatch(/FAIL.*no address\n.*livekit\.example\.com AAAA 2001:db8::5/);
});
