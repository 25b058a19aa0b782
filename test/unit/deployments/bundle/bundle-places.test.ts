import { spawnSync } from "node:child_process";
import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { providers } from "~/features/deployments/bundle/provider-table.ts";
import { providerIds, regionIds, sizeIds } from "~/features/deployments/bundle/providers.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { textOf } from "../../../support/deployments/bundle-checks.ts";
import { hostileStrings } from "../../../support/deployments/hostile-strings.ts";

vi.setConfig({ testTimeout: 60_000 });

const domain = "livekit.example.com";
const clouds = providerIds.filter((provider) => provider !== "other");

/** What is refused, as `path: message`. */
function refused(typed: Record<string, unknown>): string[] {
  const { problems = [] } = parseOptions({ domain, email: "you@example.com", ...typed });
  return problems.map(({ path, message }) => `${path}: ${message}`);
}

function script(typed: Record<string, unknown>): string {
  return textOf(bundle(optionsFrom({ domain, ...typed })), "create-vm.sh");
}

/** What is warned of at this option. */
function warned(path: string, typed: Record<string, unknown>): string[] {
  return bundle(optionsFrom({ domain, ...typed }))
    .warnings.filter((warning) => warning.path === path)
    .map(({ message }) => message);
}

test("every provider has its own name for each region and size, of the form that is checked", () => {
  for (const provider of clouds) {
    const { regions, sizes, customRegion, arm, label } = providers[provider];
    for (const region of [...regionIds.map((id) => regions[id]), customRegion.example])
      expect(region, label).toMatch(customRegion.form);
    for (const size of sizeIds) {
      expect(script({ provider, size, addresses: "ipv4" })).toContain(
        `\nSIZE=${sizes[size].name}\n`,
      );
      expect(sizes[size].cores).toBeGreaterThanOrEqual(2);
      if (arm) expect(arm.sizes[size].cores).toBeGreaterThanOrEqual(2);
    }
  }
});

test("a provider's own name of a region stands in its commands, and another provider's is refused", () => {
  for (const provider of clouds) {
    const { customRegion, label } = providers[provider];
    expect(script({ provider, region: customRegion.example })).toContain(
      `\nREGION=${customRegion.example}\n`,
    );
    expect(refused({ provider, region: "Nowhere-Else-at-all" })).toEqual([
      `region: ${label} has no region of such a name. Write one such as ${customRegion.example}.`,
    ]);
  }
  // Options without a version are no draft of labels because a region is in capitals.
  expect(optionsFrom({ domain, provider: "ovh", region: "BHS5" }).region).toBe("BHS5");
  expect(refused({ provider: "aws", region: "fra1" })).toHaveLength(1);
  expect(refused({ provider: "digital-ocean", region: "eu-central-1" })).toHaveLength(1);
});

test("no hostile text passes as a region, a disk, an architecture or a provider", () => {
  // A word of letters is a name like any other, and harmless in every file.
  for (const option of ["region", "disk", "architecture", "provider"])
    for (const provider of providerIds)
      for (const text of hostileStrings.filter((one) => !/^[A-Za-z][A-Za-z0-9-]*$/.test(one)))
        expect(
          refused({ provider, [option]: text }).some((problem) => problem.startsWith(option)),
          `${provider}, ${option}: ${text}`,
        ).toBe(true);
});

test("the disk is as large as was written, where it does not belong to the size", () => {
  for (const provider of clouds) {
    const { diskInSize } = providers[provider];
    expect(script({ provider, disk: 200 }).includes("\nDISK_GB=200\n")).toBe(!diskInSize);
    expect(warned("disk", { provider, disk: 200 })).toHaveLength(diskInSize ? 1 : 0);
    expect(warned("disk", { provider })).toEqual([]);
  }
  for (const [provider, least] of [
    ["oracle", 50],
    ["azure", 30],
  ] as const) {
    expect(script({ provider, disk: 20 })).toContain(`\nDISK_GB=${least}\n`);
    expect(warned("disk", { provider, disk: 20 })).toEqual([
      `${providers[provider].label}'s image needs ${least} GB, so the disk gets as many.`,
    ]);
  }
  for (const disk of [19, 4097, 40.5, "40", -1, Number.NaN])
    expect(refused({ disk }), String(disk)).toEqual([
      "disk: Write a whole number from 20 to 4096.",
    ]);
  expect(refused({ disk: 20 })).toEqual([]);
});

test("ARM machines start from ARM images, in the regions that have them", () => {
  for (const provider of clouds) {
    const { arm, ubuntu, label } = providers[provider];
    const typed = { provider, region: "eu-west", architecture: "arm64" };
    if (!arm) {
      expect(refused(typed)).toEqual([
        `architecture: ${label} has no machines with ARM processors. Choose amd64.`,
      ]);
      continue;
    }
    const commands = script(typed);
    expect(commands).toContain(`\nSIZE=${arm.sizes.medium.name}\n`);
    if (provider === "oracle") expect(commands).toContain('"ocpus":4,');
    else expect(commands).toContain(arm.ubuntu);
    if (arm.ubuntu !== ubuntu) expect(commands).not.toContain(ubuntu);
  }
  const agent = { kind: "image", image: "registry.example.com/agent:1.2.3" };
  expect(warned("agent", { architecture: "arm64", agent }).join()).toContain("linux/arm64");
  expect(warned("agent", { agent }).join()).not.toContain("linux/arm64");
  expect(script({ provider: "oracle" })).toContain('"ocpus":2,');
  expect(refused({ provider: "hetzner", architecture: "arm64" })).toEqual([
    "architecture: Hetzner has ARM processors in fsn1, nbg1, hel1 only. Choose another region, or amd64.",
  ]);
  expect(refused({ provider: "hetzner", architecture: "arm64", region: "nbg1" })).toEqual([]);
  expect(refused({ architecture: "arm64", system: "amazon-linux-2023" })).toEqual([
    "system: Of Docker Compose and age for Amazon Linux we have checksums for amd64 only. Choose ubuntu-24.04.",
  ]);
});

test("another machine has no commands, and its README says how the files come to it and which ports to open", () => {
  const made = bundle(optionsFrom({ domain, provider: "other" }));
  expect(made.files.map(({ path }) => path)).not.toContain("create-vm.sh");
  const words = textOf(made, "README.md");
  expect(words).not.toContain("create-vm.sh");
  expect(words).toContain("A machine of yours with 4 cores or more, ubuntu-24.04.");
  expect(words).toContain("give `cloud-init.yaml` as user data");
  expect(words).toContain("| `50000-60000/udp` | everybody |");
});

test("what a provider cannot do about addresses is refused with the reason", () => {
  expect(refused({ provider: "ovh", addresses: "dual" })).toEqual([
    "addresses: A machine at OVHcloud does not set up its IPv6 address by itself. Choose ipv4.",
  ]);
  expect(warned("region", { provider: "ovh" })).toEqual([expect.stringContaining("OVHcloud US")]);
  expect(warned("region", { provider: "ovh", region: "eu-west" })).toEqual([]);
});

test("Linode gets no name with two hyphens in a row, which it refuses", () => {
  const commands = script({ provider: "linode", domain: "münchen.example.com" });
  expect(commands.match(/^NAME=.*$/gm)).toEqual([
    expect.stringMatching(/^NAME=livekit-xn--mnchen-3ya-/),
    expect.stringMatching(/^NAME=livekit-xn-mnchen-3ya-[a-z0-9-]+-[0-9a-f]{8}$/),
  ]);
  expect(script({ provider: "linode" }).match(/^NAME=/gm)).toHaveLength(1);
});

/** What runs before a firewall of Oracle's machines, in a folder: the calls of both commands, and the saved rules. */
function withoutOraclesRules(saved: Record<string, string>) {
  using folder = mkdtempDisposableSync(join(tmpdir(), "iptables-"));
  const on = (name: string) => join(folder.path, name);
  const unit = textOf(
    bundle(optionsFrom({ domain, provider: "oracle" })),
    "livekit-firewall.service",
  );
  for (const [name, content] of Object.entries(saved)) writeFileSync(on(name), content);
  for (const [command, file] of [
    ["iptables", "rules.v4"],
    ["ip6tables", "rules.v6"],
  ] as const)
    writeFileSync(
      on(command),
      `#!/bin/sh\nif [ "$1" = -S ]; then grep "^-A INPUT" ${on(file)}; else echo "${command} $*" >>${on("calls")}; fi\n`,
      { mode: 0o755 },
    );
  for (const [, command = ""] of unit.matchAll(/^ExecStart=-\/bin\/sh -c '(.*)'$/gm)) {
    const here = command.replaceAll("/etc/iptables/", `${folder.path}/`);
    const env = { ...process.env, PATH: `${folder.path}:${process.env.PATH}` };
    spawnSync("sh", ["-c", here], { env });
  }
  const read = (name: string) => (existsSync(on(name)) ? readFileSync(on(name), "utf8") : "");
  return { calls: read("calls"), four: read("rules.v4"), six: read("rules.v6") };
}

const accepted = "-A INPUT -p tcp -m state --state NEW -m tcp --dport 22 -j ACCEPT\n";
const forward = "-A FORWARD -j REJECT --reject-with icmp-host-prohibited\nCOMMIT\n";
const refusal = (reason: string) => `-A INPUT -j REJECT --reject-with ${reason}\n`;

test("C7: Oracle's own refusal of every port is taken away where its images have it, for IPv4 and IPv6, and does not come back", () => {
  const { calls, four, six } = withoutOraclesRules({
    "rules.v4": `*filter\n${accepted}${refusal("icmp-host-prohibited")}${forward}`,
    "rules.v6": `*filter\n${accepted}${refusal("icmp6-adm-prohibited")}${forward}`,
  });
  expect(calls).toBe(
    "iptables -D INPUT -j REJECT --reject-with icmp-host-prohibited\n" +
      "ip6tables -D INPUT -j REJECT --reject-with icmp6-adm-prohibited\n",
  );
  expect(four).toBe(`*filter\n${accepted}${forward}`);
  expect(six).toBe(`*filter\n${accepted}${forward}`);
  const unit = (provider: string) =>
    textOf(bundle(optionsFrom({ domain, provider })), "livekit-firewall.service");
  expect(unit("oracle")).toContain("After=local-fs.target netfilter-persistent.service\n");
  expect(unit("aws")).not.toContain("iptables");
});

test("C7: an image of Oracle's that has no rules for IPv6 loses those for IPv4 all the same", () => {
  const { calls, four } = withoutOraclesRules({
    "rules.v4": `*filter\n${accepted}${refusal("icmp-host-prohibited")}`,
  });
  expect(calls).toBe("iptables -D INPUT -j REJECT --reject-with icmp-host-prohibited\n");
  expect(four).toBe(`*filter\n${accepted}`);
});
