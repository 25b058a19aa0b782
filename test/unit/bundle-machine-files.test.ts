import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempDisposableSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { gunzipSync, strFromU8 } from "fflate";
import { expect, test, vi } from "vitest";
import { bundle } from "~/deployments/bundle/bundle.ts";
import type { Bundle } from "~/deployments/bundle/bundle-types.ts";
import { cloudInit } from "~/deployments/bundle/files/cloud-init.ts";
import { makeSecrets } from "~/deployments/bundle/secrets.ts";
import { optionsFrom, pairwiseOptions } from "../fixtures/bundle-cases.ts";
import { at, cloudConfigProblems, read } from "../fixtures/bundle-checks.ts";

vi.setConfig({ testTimeout: 60_000 });

const combinations = pairwiseOptions(200);
const bundles = combinations.map((options) => ({ options, made: bundle(options) }));
const usual = optionsFrom({ domain: "livekit.example.com" });

function text({ files }: Bundle, path: string): string {
  return files.find((file) => file.path === path)?.content ?? "";
}

type Written = { path: string; content: string; permissions?: string; encoding?: string };

function writtenFiles(cloudConfig: string): Written[] {
  const files = at(read(cloudConfig), "write_files");
  return Array.isArray(files) ? files : [];
}

test("cloud-init writes every installed file byte for byte with its mode", () => {
  for (const { made } of bundles) {
    const written = new Map(
      writtenFiles(text(made, "cloud-init.yaml")).map((one) => [one.path, one]),
    );
    for (const { installed, content } of made.files) {
      if (!installed) continue;
      const one = written.get(installed.path);
      expect(one?.content).toBe(content);
      expect(one?.permissions ?? "0644").toBe(installed.mode);
      expect(installed.owner).toBe("root:root");
      written.delete(installed.path);
    }
    expect([...written.keys()]).toEqual(["/var/lib/cloud/scripts/per-boot/50-livekit"]);
  }
});

test("a boot makes ready once, and the README says how to do it again by hand with the same packages", () => {
  for (const { made } of bundles) {
    const boot = writtenFiles(text(made, "cloud-init.yaml")).at(-1)?.content ?? "";
    const [, packages] = /first-boot\.sh --boot (.+)\n$/.exec(boot) ?? [];
    expect(packages).toMatch(/^docker/);
    const readme = text(made, "README.md");
    expect(readme.split(`\`sudo /opt/livekit/bin/first-boot.sh ${packages}\``)).toHaveLength(3);
  }
});

test("the compressed form holds the same bytes, file by file", () => {
  const options = optionsFrom({ domain: "livekit.example.com", provider: "azure" });
  const { files } = bundle(options);
  const large = {
    ...files[0],
    path: "large",
    content: `${"x\n".repeat(40_000)}`,
    language: "conf" as const,
    purpose: "",
    installed: { path: "/large", mode: "0644" as const, owner: "root:root" },
  };
  const made = cloudInit(options, [...files, large]);
  expect(made.userData).toMatchObject({ form: "compressed", fits: true });
  const text = made.files[0]?.content ?? "";
  expect(cloudConfigProblems(text)).toEqual([]);
  const written = writtenFiles(text);
  for (const { installed, content } of [...files, large]) {
    const one = written.find(({ path }) => path === installed?.path);
    if (!installed) continue;
    expect(one?.encoding).toBe("gz+b64");
    expect(strFromU8(gunzipSync(Buffer.from(one?.content ?? "", "base64")))).toBe(content);
  }
});

test("the user data of every combination is under the provider's limit, and said to be as large as it is", () => {
  for (const { options, made } of bundles) {
    const plain = text(made, "cloud-init.yaml");
    expect(made.userData.fits, JSON.stringify(options)).toBe(true);
    if (options.provider === "aws") {
      expect(made.userData.form).toBe("compressed");
      expectGzip(made);
    } else expect(Buffer.byteLength(plain)).toBeLessThanOrEqual(made.userData.limit);
  }
});

/** That what create-vm.sh sends is under AWS's limit, and little smaller than what the console says. */
function expectGzip(made: Bundle) {
  const sent = gzipSync(text(made, "cloud-init.yaml"), { level: 9 }).length;
  expect(sent).toBeLessThanOrEqual(16_384);
  expect(made.userData.bytes).toBeGreaterThanOrEqual(sent);
  expect(made.userData.bytes - sent).toBeLessThan(250);
}

test("everything at once, with names that do not compress and secrets of the browser, fits AWS", () => {
  const noise = createHash("sha512").update("names").digest("hex");
  const name = (at: number) => `${noise.slice(at, at + 16)}.example.com`;
  let next = 0;
  for (const system of ["ubuntu-24.04", "amazon-linux-2023"]) {
    const options = optionsFrom({
      system,
      domain: name(0),
      extraDomains: [name(16)],
      turn: { mode: "manual", domain: name(32) },
      whipDomain: name(48),
      ingress: "both",
      security: "enterprise",
      monitoring: "24/7",
      alertUrl: `https://alerts.example.com/${noise.slice(64, 100)}`,
      recording: { kind: "s3", bucket: noise.slice(100, 120), region: "eu-west-1" },
      updates: "weekly",
      backups: { frequency: "daily", ageRecipient: `age1${"q".repeat(58)}` },
      firewall: { preset: "custom", rules: [] },
      sshSource: ["203.0.113.7", "2001:db8::1"],
      addresses: "dual",
      proxy: "existing",
      secrets: "browser",
    });
    const made = bundle(
      options,
      makeSecrets((bytes) =>
        createHash("shake256", { outputLength: bytes.length }).update(`${next++}`).digest(),
      ),
    );
    expect(made.userData.fits).toBe(true);
    expectGzip(made);
  }
});

test("user data that is too large even compressed is said to be", () => {
  const noise = Array.from({ length: 20_000 }, (_, at) =>
    ((at * 2_654_435_761) % 4_294_967_296).toString(36),
  ).join("\n");
  const file = {
    path: "x",
    content: `${noise}\n`,
    language: "conf" as const,
    purpose: "",
    installed: { path: "/x", mode: "0644" as const, owner: "root:root" },
  };
  for (const provider of ["aws", "azure"] as const) {
    const { userData } = cloudInit({ ...usual, provider }, [file]);
    expect(userData.fits).toBe(false);
    expect(userData.bytes).toBeGreaterThan(userData.limit);
  }
});

test("every cloud-config satisfies cloud-init's schema and begins with its magic line", () => {
  for (const { made } of bundles) {
    const content = text(made, "cloud-init.yaml");
    expect(content.startsWith("#cloud-config\n")).toBe(true);
    expect(cloudConfigProblems(content)).toEqual([]);
  }
  expect(cloudConfigProblems("#cloud-config\npackage_upgrade: all\n")).not.toEqual([]);
  expect(cloudConfigProblems("#cloud-config\nrepo_update: true\n")).not.toEqual([]);
});

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
    /^ {4}(?:meta nfproto (ipv[46]) |ip6? saddr \{ ([^}]+) \} )(tcp|udp) dport (\S+) accept$/gm;
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
  return found.sort();
}

test("the machine's firewall, the provider's rules and the README open the same ports to the same people", () => {
  for (const { options, made } of bundles) {
    const list = openList(made);
    expect(nftList(text(made, "firewall.nft"))).toEqual(list);
    expect(providerList(options.provider, text(made, "create-vm.sh")), options.provider).toEqual(
      list,
    );
    const rows = [...text(made, "README.md").matchAll(/^\| `([\d-]+\/(?:tcp|udp))` \| /gm)];
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
  const rules = text(made, "firewall.nft").replace(
    "    meta nfproto ipv4 tcp dport 80 accept\n",
    "",
  );
  expect(nftList(rules)).not.toEqual(openList(made));
});

test("every name that needs a record stands in the README and in create-vm.sh", () => {
  for (const { made } of bundles)
    for (const { name, type } of made.dnsRecords) {
      expect(text(made, "README.md")).toContain(`| \`${name}\``);
      expect(text(made, "create-vm.sh")).toContain(`echo "  ${name}  ${type}  `);
    }
});

test("AWS gets metadata by token only, no hop away, on an encrypted gp3 disk", () => {
  const script = text(bundle(usual), "create-vm.sh");
  expect(script).toContain("--metadata-options HttpTokens=required,HttpPutResponseHopLimit=1");
  expect(script).toContain("VolumeType=gp3,Encrypted=true");
});

test("metadata is for root alone beside Egress and from high security on, and for Egress where it needs its role", () => {
  const rules = (typed: object) => text(bundle({ ...usual, ...typed }), "firewall.nft");
  const role = { kind: "s3", bucket: "rec", region: "eu-west-1", forcePathStyle: false } as const;
  expect(rules({})).not.toContain("169.254.169.254");
  expect(rules({ security: "high" })).toContain("tcp dport 80 meta skuid != 0 reject");
  expect(rules({ recording: { kind: "local" } })).toContain("tcp dport 80 meta skuid != 0 reject");
  expect(rules({ recording: role })).toContain("meta skuid != { 0, 1001 } reject");
});

test("strict firewalls limit SSH, port 80 and RTMP, narrow ICMP and log what they drop", () => {
  const rules = text(
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
  expect(text(made, "livekit.service")).toContain("Description=LiveKit at a%%b.example.com");
});

test("LiveKit may take an hour to let calls end, in Compose and in systemd", () => {
  const made = bundle(usual);
  expect(at(read(text(made, "docker-compose.yaml")), "services.livekit.stop_grace_period")).toBe(
    "1h",
  );
  expect(text(made, "livekit.service")).toContain("TimeoutStopSec=65min");
});

test("Amazon Linux takes security updates of the releases after its image's own", () => {
  const options = optionsFrom({ domain: "livekit.example.com", system: "amazon-linux-2023" });
  const written = writtenFiles(text(bundle(options), "cloud-init.yaml"));
  const variable = written.find(({ path }) => path === "/etc/dnf/vars/releasever");
  expect(variable?.content).toBe("latest\n");
  const ubuntu = writtenFiles(text(bundle(usual), "cloud-init.yaml"));
  expect(ubuntu.some(({ path }) => path.startsWith("/etc/dnf"))).toBe(false);
});

test("who has a machine in use is told what the firewall closes, and the README's loop installs every file", () => {
  const made = bundle(optionsFrom({ domain: "livekit.example.com", proxy: "existing" }));
  const warned = made.warnings.filter(({ path }) => path === "proxy");
  expect(warned.map(({ message }) => message).join(" ")).toContain(
    "closes every port of this machine but the deployment's and 22",
  );
  const words = text(made, "README.md");
  expect(words).toContain("`firewall.nft` closes every port");
  expect(text(bundle(usual), "README.md")).not.toContain("`firewall.nft` closes every port");
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
  const words = text(made, "README.md");
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
  expect(text(bundle(usual), "README.md")).not.toContain("Your proxy");
});
