import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Bundle } from "~/features/deployments/bundle/bundle-types.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom, pairwiseOptions } from "../../../support/deployments/bundle-cases.ts";
import { at, read, textOf, writtenFiles } from "../../../support/deployments/bundle-checks.ts";
import { amount } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

const combinations = pairwiseOptions(amount({ inTest: 100, inProof: 200 }));
const bundles = combinations.map((options) => ({ options, made: bundle(options) }));
const usual = optionsFrom({ domain: "livekit.example.com" });

/** `443/tcp 0.0.0.0/0` for each thing that is open, so that lists of different languages compare. */
function openList(made: Bundle): string[] {
  return made.ports
    .filter(({ audience }) => audience !== "internal")
    .flatMap(({ ports, protocol, sources }) =>
      sources.map((source) => `${ports}/${protocol} ${source}`),
    )
    .sort();
}

function nftList(rules: string): string[] {
  const line =
    /^ {4}(?:iifname != "lo" )?(?:meta nfproto (ipv[46]) |ip6? saddr \{ ([^}]+) \} )(tcp|udp) dport (\S+) accept$/gm;
  return [...rules.matchAll(line)]
    .flatMap(([, family, sources, protocol, ports]) =>
      (family ? [family === "ipv4" ? "0.0.0.0/0" : "::/0"] : (sources ?? "").split(", ")).map(
        (source) => `${ports}/${protocol} ${source}`,
      ),
    )
    .sort();
}

function providerList(provider: string, script: string): string[] {
  const found: string[] = [];
  if (provider === "aws")
    for (const [, protocol, first, last, source] of script.matchAll(
      /^allow (\w+) (\d+) (\d+) (\S+)$/gm,
    ))
      found.push(`${first === last ? first : `${first}-${last}`}/${protocol} ${source}`);
  if (provider === "azure")
    for (const [, protocol, ports, sources] of script.matchAll(/^allow \d+ (\w+) (\S+) (.+)$/gm))
      for (const source of (sources ?? "").split(" "))
        found.push(`${ports}/${protocol?.toLowerCase()} ${source}`);
  if (provider === "digital-ocean")
    for (const [, protocol, ports, sources] of (
      /^INBOUND="([^"]*)"/m.exec(script)?.[1] ?? ""
    ).matchAll(/protocol:(\w+),ports:([^,]+),(\S+)/g))
      for (const source of (sources ?? "").split(","))
        found.push(`${ports}/${protocol} ${source.replace("address:", "")}`);
  if (provider === "google-cloud")
    for (const [, allowed, sources] of script.matchAll(/^allow \d+ (\S+) (\S+)$/gm))
      for (const one of (allowed ?? "").split(","))
        for (const source of (sources ?? "").split(","))
          found.push(`${one.split(":").reverse().join("/")} ${source}`);
  if (provider === "hetzner")
    for (const [, protocol, port, sources] of script.matchAll(
      /^\{"direction":"in","protocol":"(\w+)","port":"([\d-]+)","source_ips":\["([^\]]+)"\]\},?$/gm,
    ))
      for (const source of (sources ?? "").split('","'))
        found.push(`${port}/${protocol} ${source}`);
  if (provider === "ovh")
    for (const [, protocol, first, last, source] of script.matchAll(
      /^allow (\w+) (\d+):(\d+) (\S+)$/gm,
    ))
      found.push(`${first === last ? first : `${first}-${last}`}/${protocol} ${source}`);
  if (provider === "vultr")
    for (const [, protocol, ports, network, bits] of script.matchAll(
      /^allow (\w+) (\S+) v[46] (\S+) (\d+)$/gm,
    ))
      found.push(`${ports?.replace(":", "-")}/${protocol} ${network}/${bits}`);
  if (provider === "linode")
    for (const [, protocol, ports, sources] of script.matchAll(
      /"protocol":"(\w+)","ports":"([^"]+)","addresses":\{"ipv[46]":\["([^\]]+)"\]/g,
    ))
      for (const port of (ports ?? "").split(","))
        for (const source of (sources ?? "").split('","'))
          found.push(`${port}/${protocol?.toLowerCase()} ${source}`);
  if (provider === "oracle")
    for (const [, source, protocol, first, last] of script.matchAll(
      /"source":"([^"]+)","(tcp|udp)Options":\{"destinationPortRange":\{"min":(\d+),"max":(\d+)\}/g,
    ))
      found.push(`${first === last ? first : `${first}-${last}`}/${protocol} ${source}`);
  return [...new Set(found)].sort();
}

test("the machine's firewall, the provider's rules and the README open the same ports to the same people", () => {
  for (const { options, made } of bundles) {
    const list = openList(made);
    expect(nftList(textOf(made, "firewall.nft"))).toEqual(list);
    if (options.provider !== "other")
      expect(
        providerList(options.provider, textOf(made, "create-vm.sh")),
        options.provider,
      ).toEqual(list);
    const rows = [...textOf(made, "README.md").matchAll(/^\| `([\d-]+\/(?:tcp|udp))` \| /gm)];
    expect(new Set(rows.map(([, port]) => port))).toEqual(
      new Set(list.map((one) => one.split(" ")[0])),
    );
    for (const { ports, audience } of made.ports)
      if (audience === "internal")
        expect(
          list.some((one) => one.startsWith(`${ports}/`)),
          ports,
        ).toBe(false);
  }
});

test("a port that only one of them opened would be seen", () => {
  const made = bundle(usual);
  const rules = textOf(made, "firewall.nft").replace(
    "    meta nfproto ipv4 tcp dport 80 accept\n",
    "",
  );
  expect(nftList(rules)).not.toEqual(openList(made));
});

test("every name that needs a record stands in the README and in create-vm.sh", () => {
  for (const { options, made } of bundles)
    for (const { name, type } of made.dnsRecords) {
      expect(textOf(made, "README.md")).toContain(`| \`${name}\``);
      if (options.provider === "other") continue;
      expect(textOf(made, "create-vm.sh")).toContain(`echo "  ${name}  ${type}  `);
    }
});

test("AWS gets metadata by token only, no hop away, on an encrypted gp3 disk", () => {
  const script = textOf(bundle(usual), "create-vm.sh");
  expect(script).toContain("--metadata-options HttpTokens=required,HttpPutResponseHopLimit=1");
  expect(script).toContain("VolumeType=gp3,Encrypted=true");
});

test("metadata is for root alone beside Egress and from high security on, and for Egress where it needs its role", () => {
  const rules = (typed: object) => textOf(bundle({ ...usual, ...typed }), "firewall.nft");
  const role = { kind: "s3", bucket: "rec", region: "eu-west-1", forcePathStyle: false } as const;
  expect(rules({})).not.toContain("169.254.169.254");
  expect(rules({ security: "high" })).toContain("tcp dport 80 meta skuid != 0 reject");
  expect(rules({ recording: { kind: "local" } })).toContain("tcp dport 80 meta skuid != 0 reject");
  expect(rules({ recording: role })).toContain("meta skuid != { 0, 1001 } reject");
});

test("strict firewalls limit SSH, port 80 and RTMP, narrow ICMP and log what they drop", () => {
  const rules = textOf(
    bundle(
      optionsFrom({
        domain: "livekit.example.com",
        firewall: { preset: "strict" },
        sshSource: ["192.0.2.1"],
        ingress: "rtmp",
      }),
    ),
    "firewall.nft",
  );
  for (const port of ["22", "80", "1935"])
    expect(rules).toContain(`tcp dport ${port} ct state new update @clients`);
  expect(rules).toContain('log prefix "livekit dropped: "');
  expect(rules).toContain("ip saddr { 192.0.2.1/32 } tcp dport 22 accept");
  expect(rules).not.toContain("meta l4proto { icmp");
});

test("a percent sign in a unit would stay a percent sign", () => {
  const made = bundle({ ...usual, domain: "a%b.example.com" });
  expect(textOf(made, "livekit.service")).toContain("Description=LiveKit at a%%b.example.com");
});

test("Compose and systemd allow for the wait that the owner chose, and for saving what is recorded", () => {
  for (const [minutes, saving, stopping] of [
    [15, 15, 35],
    [0, 5, 10],
    [720, 720, 1445],
  ] as const) {
    const made = bundle(
      optionsFrom({
        domain: "livekit.example.com",
        drain: { minutes },
        recording: { kind: "local" },
        updates: "weekly",
      }),
    );
    const services = at(read(textOf(made, "docker-compose.yaml")), "services");
    expect(at(services, "livekit.stop_grace_period")).toBe("30s");
    expect(at(services, "egress.stop_grace_period")).toBe(`${saving}m`);
    expect(at(services, "egress.stop_signal")).toBe("SIGINT");
    expect(textOf(made, "deployment.env")).toContain(`DRAIN_MINUTES='${minutes}'`);
    const unit = textOf(made, "livekit.service");
    expect(unit).toContain(`TimeoutStopSec=${stopping}min\n`);
    expect(unit).toContain(`TimeoutStartSec=${stopping + 55}min\n`);
    expect(textOf(made, "livekit-update.service")).toContain(`=${2 * stopping + 110}min\n`);
  }
});

test("timers follow the chosen hour: the backup before the update, the reboot after it, over midnight too", () => {
  const calendars = (maintenance: object, updates: string, frequency: string) => {
    const made = bundle(
      optionsFrom({
        domain: "livekit.example.com",
        maintenance,
        updates,
        security: "enterprise",
        backups: { frequency, ageRecipient: `age1${"q".repeat(58)}` },
      }),
    );
    return ["backup", "update", "reboot"].map(
      (job) => /OnCalendar=(.*)/.exec(textOf(made, `livekit-${job}.timer`))?.[1],
    );
  };
  expect(calendars({}, "weekly", "weekly")).toEqual([
    "Sun *-*-* 02:00:00",
    "Sun *-*-* 03:30:00",
    "Sun *-*-* 05:00:00",
  ]);
  expect(calendars({ day: "sunday", hour: 0 }, "weekly", "weekly")).toEqual([
    "Sat *-*-* 23:00:00",
    "Sun *-*-* 00:30:00",
    "Sun *-*-* 02:00:00",
  ]);
  expect(calendars({ day: "saturday", hour: 23 }, "monthly", "monthly")).toEqual([
    "*-*-01 22:00:00",
    "Sat *-*-01..07 23:30:00",
    "Sun *-*-* 01:00:00",
  ]);
  expect(calendars({ day: "wednesday", hour: 14 }, "weekly", "daily")).toEqual([
    "*-*-* 13:00:00",
    "Wed *-*-* 14:30:00",
    "Wed *-*-* 16:00:00",
  ]);
});

test("Amazon Linux takes security updates of the releases after its image's own", () => {
  const options = optionsFrom({ domain: "livekit.example.com", system: "amazon-linux-2023" });
  const written = writtenFiles(textOf(bundle(options), "cloud-init.yaml"));
  const variable = written.find(({ path }) => path === "/etc/dnf/vars/releasever");
  expect(variable?.content).toBe("latest\n");
  const ubuntu = writtenFiles(textOf(bundle(usual), "cloud-init.yaml"));
  expect(ubuntu.some(({ path }) => path.startsWith("/etc/dnf"))).toBe(false);
});

test("for a machine in use the README says what the firewall closes, and its loop installs every file", () => {
  const made = bundle(optionsFrom({ domain: "livekit.example.com", proxy: "existing" }));
  const warned = made.warnings.filter(({ path }) => path === "proxy");
  expect(warned.map(({ message }) => message).join(" ")).toContain(
    "closes every port of this machine but the deployment's and 22",
  );
  const words = textOf(made, "README.md");
  expect(words).toContain("`firewall.nft` closes every port");
  expect(textOf(bundle(usual), "README.md")).not.toContain("`firewall.nft` closes every port");
  const loop = /```sh\n(while read[\s\S]*?)```/.exec(words)?.[1] ?? "";
  using folder = mkdtempDisposableSync(join(tmpdir(), "existing-"));
  const on = (path: string) => join(folder.path, "machine", path);
  for (const { path, content } of made.files) writeFileSync(join(folder.path, path), content);
  mkdirSync(on("etc/docker"), { recursive: true });
  writeFileSync(on("etc/docker/daemon.json"), '{ "mtu": 1400 }\n');
  mkdirSync(join(folder.path, "commands"));
  writeFileSync(join(folder.path, "commands/sudo"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync(
    "sh",
    ["-euc", loop.replaceAll('"$path"', `"${on("")}$path"`)],
    {
      cwd: folder.path,
      encoding: "utf8",
      env: { ...process.env, PATH: `${join(folder.path, "commands")}:${process.env.PATH}` },
    },
  );
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(
    "Kept /etc/docker/daemon.json: compare it with docker-daemon.json yourself.\n",
  );
  for (const { path, installed, content } of made.files) {
    if (!installed || path === "docker-daemon.json") continue;
    expect(readFileSync(on(installed.path), "utf8"), path).toBe(content);
    expect((statSync(on(installed.path)).mode & 0o7777).toString(8).padStart(4, "0"), path).toBe(
      installed.mode,
    );
  }
  expect(readFileSync(on("etc/docker/daemon.json"), "utf8")).toContain("1400");
});

test("the README shows all names to the three usual proxies", () => {
  const made = bundle(
    optionsFrom({ domain: "livekit.example.com", proxy: "existing", ingress: "webrtc" }),
  );
  const words = textOf(made, "README.md");
  for (const name of [
    "livekit.example.com",
    "turn.livekit.example.com",
    "whip.livekit.example.com",
  ])
    for (const line of [`    ${name} 127.0.0.1:8443;`, `HostSNI(\`${name}\`)`])
      expect(words).toContain(line);
  expect(words).toContain(
    "req.ssl_sni -i livekit.example.com turn.livekit.example.com whip.livekit.example.com",
  );
  expect(textOf(bundle(usual), "README.md")).not.toContain("Your proxy");
});
