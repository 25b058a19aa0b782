import { expect, test, vi } from "vitest";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { bundle } from "../support/deployments/bundle.ts";
import { optionsFrom, pairwiseOptions } from "../support/deployments/bundle-cases.ts";
import { at, cloudConfigProblems, read } from "../support/deployments/bundle-checks.ts";

vi.setConfig({ testTimeout: 60_000 });

// The faults of livekit/deploy's generator (October 2025), each absent here.
const all = pairwiseOptions(0).map((options) => ({ options, made: bundle(options) }));

function text(made: ReturnType<typeof bundle>, path: string): string {
  return made.files.find((file) => file.path === path)?.content ?? "";
}

test("fault 1 is absent: no cloud-config key or value that current cloud-init refuses", () => {
  for (const { made } of all) {
    const cloudConfig = text(made, "cloud-init.yaml");
    expect(cloudConfigProblems(cloudConfig)).toEqual([]);
    expect(at(read(cloudConfig), "package_upgrade")).toBeUndefined();
  }
});

test("fault 2 is absent: WHIP never has an address without a name", () => {
  for (const { options, made } of all) {
    const address = at(read(text(made, "livekit.yaml")), "ingress.whip_base_url");
    if (options.ingress === "webrtc" || options.ingress === "both")
      expect(address).toMatch(/^https:\/\/[a-z0-9.-]+\.[a-z]+\/w$/);
    else expect(address).toBeUndefined();
  }
});

test("fault 3 is absent: no placeholder stands in any file", () => {
  for (const { made } of all)
    for (const { path, content } of made.files)
      expect(content, path).not.toMatch(/<[a-z]+(-[a-z]+)+>|CHANGE_?ME|your-(domain|host)/i);
});

test("fault 4 is absent: no floating image, and no download without -f and a pinned checksum", () => {
  for (const { made } of all) {
    for (const [, image] of text(made, "docker-compose.yaml").matchAll(/^ +image: (.*)$/gm))
      expect(image).toMatch(/:(v?\d+\.\d+(\.\d+)?(-alpine)?|[0-9a-f]{64})$/);
    const tools = text(made, "install-tools.sh");
    if (tools !== "") {
      expect(tools.match(/\b[0-9a-f]{64}\b/g)).toHaveLength(3);
      expect(tools).toContain("curl -fsSL");
      expect(tools).toContain("sha256sum --check --status ||");
    }
  }
});

test("fault 5 is absent: ACME e-mail, firewall, backup, updates, health, log limits and a Redis folder", () => {
  const made = bundle(
    optionsFrom({
      domain: "livekit.example.com",
      backups: { frequency: "daily" },
      updates: "weekly",
    }),
  );
  expect(text(made, "caddy.yaml")).toContain("email: you@example.com");
  const paths = made.files.map(({ path }) => path);
  for (const path of [
    "firewall.nft",
    "livekit-backup.timer",
    "livekit-update.timer",
    "livekit-health.timer",
  ])
    expect(paths).toContain(path);
  const services = at(read(text(made, "docker-compose.yaml")), "services");
  for (const service of Object.values(services ?? {})) {
    expect(at(service, "healthcheck.test")).toBeDefined();
    expect(at(service, "logging.options.max-size")).toBe("10m");
  }
  expect(at(services, "redis.volumes")).toContain("./data/redis:/data");
});

test("fault 6 is absent: no secret in user data by default, one 0600 file otherwise, and Redis wants a password", () => {
  for (const { made } of all) {
    expect(made.files.map(({ path }) => path)).not.toContain("secrets.env");
    expect(text(made, "cloud-init.yaml")).not.toMatch(
      /API[A-Za-z0-9]{12}\b|requirepass (?!'\$\$REDIS_PASSWORD')/,
    );
  }
  const secrets = {
    apiKey: "APIabcdefghijkl",
    apiSecret: "s".repeat(43),
    redisPassword: "p".repeat(43),
    webhookSecret: "w".repeat(43),
  };
  const made = bundle(optionsFrom({ domain: "livekit.example.com", secrets: "browser" }), secrets);
  expect(made.files.find(({ path }) => path === "secrets.env")?.installed?.mode).toBe("0600");
  const redis = { kind: "external", address: "redis.example.net:6379" };
  const elsewhere = optionsFrom({ domain: "livekit.example.com", secrets: "browser", redis });
  expect(text(bundle(elsewhere, secrets), "secrets.env")).not.toContain("REDIS_PASSWORD");
  const start = String(at(read(text(made, "docker-compose.yaml")), "services.redis.entrypoint.2"));
  expect(start).toContain("requirepass");
});

test("fault 7 is absent: internal ports are bound to the machine or closed, and Caddy's admin is off", () => {
  for (const { made } of all) {
    expect(at(read(text(made, "livekit.yaml")), "bind_addresses.0")).toBe("127.0.0.1");
    expect(at(read(text(made, "caddy.yaml")), "admin.disabled")).toBe(true);
    const firewall = text(made, "firewall.nft");
    expect(firewall).toContain("hook input priority filter; policy drop;");
    for (const port of ["7880", "5349", "8080", "9090", "7980", "6379", "2019"])
      expect(firewall).not.toMatch(new RegExp(`dport [{ ]*${port}\\b`));
  }
});

test("fault 8 is absent: no file is edited for an address, and the address is asked at every start", () => {
  for (const { options, made } of all) {
    const onlyIpv6 = options.addresses === "ipv6";
    for (const [, dial] of text(made, "caddy.yaml").matchAll(/dial:\s*- (\S+)/g))
      expect(dial).toMatch(
        onlyIpv6 ? /^"?(127\.0\.0\.1:(?!5349)\d+|\[::1\]:5349)"?$/ : /^"?127\.0\.0\.1:\d+"?$/,
      );
    expect(at(read(text(made, "livekit.yaml")), "rtc.use_external_ip")).toBe(!onlyIpv6);
    for (const { path, content } of made.files)
      if (path.endsWith(".sh")) expect(content, path).not.toContain("sed -i");
    expect(text(made, "livekit.service")).toContain(
      "ExecStartPre=/opt/livekit/bin/before-start.sh",
    );
  }
});

test("fault 9 is absent: stopping waits for calls, and gives those that came late 30 seconds", () => {
  for (const { made } of all) {
    const unit = text(made, "livekit.service");
    expect(unit).toContain(
      "ExecStop=-/opt/livekit/bin/before-stop.sh\nExecStop=/usr/bin/docker compose stop\n",
    );
    expect(text(made, "before-stop.sh")).toContain("wait_for_quiet");
    for (const { path, content } of made.files) expect(content, path).not.toContain("compose down");
    expect(at(read(text(made, "docker-compose.yaml")), "services.livekit.stop_grace_period")).toBe(
      "30s",
    );
  }
});

test("fault 10 is absent: bad names and equal names are refused at their field", () => {
  const refused = (typed: object) =>
    parseOptions({
      domain: "livekit.example.com",
      email: "you@example.com",
      ...typed,
    }).problems?.map(({ path }) => path);
  for (const domain of ["foo.", "_x.example.com", `${"a.".repeat(130)}example.com`])
    expect(refused({ domain }), domain).toEqual(["domain"]);
  const same = {
    ingress: "webrtc",
    whipDomain: "relay.example.com",
    turn: { mode: "manual", domain: "relay.example.com" },
  };
  expect(refused(same)).toHaveLength(1);
});
