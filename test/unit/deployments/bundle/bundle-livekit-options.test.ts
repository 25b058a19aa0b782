import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { at, read, textOf } from "../../../support/deployments/bundle-checks.ts";
import { runningMachine } from "../../../support/deployments/machine.ts";
import { sample } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

function filesOf(typed: Record<string, unknown>) {
  const made = bundle(
    optionsFrom({ domain: "livekit.example.com", sshSource: ["192.0.2.1"], ...typed }),
  );
  const file = (path: string) => textOf(made, path);
  return { made, file, livekit: read(file("livekit.yaml")) };
}

test("a deployment that chose nothing of it keeps its livekit.yaml byte for byte", () => {
  expect(filesOf({}).file("livekit.yaml")).toBe(`\
# LiveKit v1.13.11. Keys and the Redis password come from secrets.env.
# The public address is in state/address.env; without it STUN is asked.
port: 7880
bind_addresses:
  - "127.0.0.1"
rtc:
  tcp_port: 7881
  port_range_start: 50000
  port_range_end: 60000
  use_external_ip: true
  interfaces:
    excludes:
      - docker0
  ips:
    excludes:
      - "::/0"
redis:
  address: "127.0.0.1:6379"
turn:
  enabled: true
  domain: turn.livekit.example.com
  tls_port: 5349
  external_tls: true
  udp_port: 3478
prometheus:
  port: 6789
logging:
  json: true
  level: info
`);
});

test("defaults of rooms and limits reach LiveKit where they differ from its own", () => {
  const { livekit } = filesOf({
    rooms: {
      maxParticipants: 50,
      emptyTimeout: 60,
      createdByJoining: false,
      codecs: ["opus", "vp8"],
    },
    limits: { bytesPerSecond: 125_000_000 },
  });
  expect(at(livekit, "room")).toEqual({
    auto_create: false,
    max_participants: 50,
    empty_timeout: 60,
    enabled_codecs: [{ mime: "audio/opus" }, { mime: "video/vp8" }, { mime: "video/rtx" }],
  });
  expect(at(livekit, "limit")).toEqual({ bytes_per_sec: 125_000_000 });
});

test("media on one port opens that port and not the range, everywhere", () => {
  const { livekit, file } = filesOf({ mediaUdp: "single" });
  expect(at(livekit, "rtc")).toMatchObject({ udp_port: 7882 });
  expect(at(livekit, "rtc.port_range_start")).toBeUndefined();
  for (const path of ["firewall.nft", "create-vm.sh", "README.md", "deployment.env"]) {
    expect(file(path), path).toContain("7882");
    expect(file(path), path).not.toContain("60000");
  }
});

test("TURN by UDP on 443 opens 443/udp, and LiveKit may bind it at every security level", () => {
  for (const security of ["standard", "high", "enterprise"]) {
    const { livekit, file } = filesOf({ turnUdpPort: "443", security });
    expect(at(livekit, "turn.udp_port")).toBe(443);
    expect(file("firewall.nft")).toContain("udp dport 443 accept");
    expect(file("firewall.nft")).not.toContain("3478");
    expect(file("deployment.env")).toContain("TURN_UDP_PORT='443'");
    const service = at(read(file("docker-compose.yaml")), "services.livekit");
    // Without root no capability reaches the program on the host's network.
    expect(at(service, "user")).toBeUndefined();
    expect(at(service, "cap_add")).toEqual(
      security === "standard" ? undefined : ["NET_BIND_SERVICE"],
    );
  }
});

test("SIP opens its ports to the named networks only, in both firewalls, and answers nobody it does not know", () => {
  const named = filesOf({
    sip: { kind: "on", sources: ["203.0.113.0/24"] },
    monitoring: "advanced",
  });
  const sip = read(named.file("sip.yaml"));
  expect(sip).toEqual({
    ws_url: "ws://127.0.0.1:7880",
    sip_port: 5060,
    rtp_port: "10000-20000",
    hide_inbound_port: true,
    health_port: 9096,
    prometheus_port: 9097,
    logging: { json: true, level: "info" },
    redis: { address: "127.0.0.1:6379" },
  });
  for (const rule of ["udp dport 5060", "tcp dport 5060", "udp dport 10000-20000"])
    expect(named.file("firewall.nft")).toContain(`ip saddr { 203.0.113.0/24 } ${rule} accept`);
  expect(named.file("create-vm.sh")).toContain("allow udp 10000 20000 203.0.113.0/24");
  expect(named.file("prometheus.yaml")).toContain("127.0.0.1:9097");
  expect(named.made.ports.find(({ ports }) => ports === "9096")?.audience).toBe("internal");
  const openToAll = filesOf({ sip: { kind: "on" } });
  expect(openToAll.file("firewall.nft")).toContain("meta nfproto ipv4 udp dport 5060 accept");
  expect(openToAll.file("README.md")).toContain("scanners find 5060 within minutes");
  expect(filesOf({}).file("firewall.nft")).not.toContain("5060");
});

test("SIP gets the public address where it is known, and asks STUN where it is not, never both", () => {
  const compose = read(filesOf({ sip: { kind: "on" } }).file("docker-compose.yaml"));
  const service = at(compose, "services.sip");
  expect(at(service, "env_file")).toEqual(["secrets.env", "state/address.env"]);
  const script = String(at(service, "entrypoint.2"))
    .replaceAll("$$", "$")
    .replace("cat /etc/sip.yaml", "printf 'port: 1\\nredis:\\n  address: x\\n'")
    .replace("exec livekit-sip", 'printf %s "$SIP_CONFIG_BODY"');
  const body = (environment: Record<string, string>): unknown =>
    read(
      spawnSync("dash", ["-c", script], {
        encoding: "utf8",
        env: { ...process.env, REDIS_PASSWORD: "it's", ...environment },
      }).stdout,
    );
  const rest = { port: 1, redis: { address: "x", password: "it's" } };
  expect(body({ NODE_IP: "203.0.113.5" })).toEqual({ nat_1_to_1_ip: "203.0.113.5", ...rest });
  expect(body({ NODE_IP: "" })).toEqual({ use_external_ip: true, ...rest });
});

test("Ingress asks STUN for the address of WHIP only where it is not known, and never takes Docker's network", () => {
  for (const addresses of ["ipv4", "ipv6"]) {
    const { file } = filesOf({
      provider: "other",
      sshSource: [],
      ingress: "both",
      addresses,
    });
    const service = at(read(file("docker-compose.yaml")), "services.ingress");
    expect(at(service, "env_file")).toEqual(["secrets.env", "state/address.env"]);
    using folder = mkdtempDisposableSync(join(tmpdir(), "ingress-"));
    const path = join(folder.path, "ingress.yaml");
    writeFileSync(path, file("ingress.yaml"));
    const script = String(at(service, "entrypoint.2"))
      .replaceAll("$$", "$")
      .replace("/etc/ingress.yaml", path)
      .replace("exec ingress", 'printf %s "$INGRESS_CONFIG_BODY"');
    const body = (NODE_IP: string): unknown =>
      read(
        spawnSync("dash", ["-c", script], {
          encoding: "utf8",
          env: { ...process.env, REDIS_PASSWORD: "it's", NODE_IP },
        }).stdout,
      );
    const address = addresses === "ipv4" ? "203.0.113.5" : "2001:db8::5";
    const withAddress = body(address);
    expect(at(withAddress, "rtc_config.node_ip")).toBe(address);
    expect(at(withAddress, "rtc_config.use_external_ip")).toBe(false);
    expect(at(withAddress, "rtc_config.interfaces.excludes")).toEqual(["docker0"]);
    expect(at(withAddress, "redis.password")).toBe("it's");
    const withoutAddress = body("");
    expect(at(withoutAddress, "rtc_config.node_ip")).toBeUndefined();
    expect(at(withoutAddress, "rtc_config.use_external_ip")).toBe(addresses === "ipv4");
    expect(at(withoutAddress, "redis.password")).toBe("it's");
  }
  const rtmp = at(
    read(filesOf({ ingress: "rtmp" }).file("docker-compose.yaml")),
    "services.ingress",
  );
  expect(at(rtmp, "env_file")).toEqual(["secrets.env"]);
});

test("an agent worker gets the API key and its owner's file, and no other secret or right", () => {
  const image = "registry.example.com/team/agent:1.4.2";
  const { file, made } = filesOf({ agent: { kind: "image", image }, security: "high" });
  const service = at(read(file("docker-compose.yaml")), "services.agent");
  expect(service).toEqual({
    image,
    network_mode: "host",
    restart: "unless-stopped",
    stop_grace_period: "2m",
    env_file: ["state/agent-key.env", "agent.env"],
    environment: { LIVEKIT_URL: "ws://127.0.0.1:7880" },
    security_opt: ["no-new-privileges:true"],
    cap_drop: ["ALL"],
    logging: { driver: "local", options: { "max-size": "10m", "max-file": "5" } },
  });
  expect(made.ports.filter(({ service }) => service === "agent")).toMatchObject([
    { ports: "8081", audience: "internal" },
  ]);
  // The metadata can hold a role's keys.
  expect(filesOf({ agent: { kind: "image", image } }).file("firewall.nft")).toContain("meta skuid");
  expect(file("README.md")).toContain("sudo docker login");
  expect(file("README.md")).toContain("linux/amd64");
});

test("an agent's README warns that as root it reaches the machine's metadata, where that holds something", () => {
  const agent = { kind: "image", image: "team/agent:7" };
  const readme = filesOf({ agent }).file("README.md");
  expect(readme).not.toContain("no other secret of");
  expect(readme).toContain("while its image runs as root, it can ask the provider's metadata");
  const warned = (typed: Record<string, unknown>) =>
    filesOf({ agent, ...typed }).made.warnings.some(
      ({ path, message }) => path === "agent.image" && message.includes("runs as root"),
    );
  const target = { kind: "s3", bucket: "backups", region: "us-east-1" };
  expect(warned({ provider: "aws", backups: { frequency: "daily", target } })).toBe(true);
  expect(warned({ secrets: "browser" })).toBe(true);
  expect(warned({ provider: "aws" })).toBe(false);
});

test("Egress reaches LiveKit by address, and the README says how a template on a public site would", () => {
  const { file } = filesOf({ recording: { kind: "local" } });
  expect(at(read(file("egress.yaml")), "ws_url")).toBe("ws://127.0.0.1:7880");
  expect(file("README.md")).toContain("`ws_url: wss://livekit.example.com`");
  expect(file("README.md")).toContain("we have not tried one");
});

test("an agent worker that cannot start does not keep LiveKit from starting", () => {
  const unit = filesOf({ agent: { kind: "image", image: "team/agent:7" } }).file("livekit.service");
  // Read from the Compose file when it starts: a restored one can have other services.
  const others = (command: string) =>
    `docker compose ${command} $(docker compose config --services | grep -vx agent)'`;
  const lines = unit.split("\n").filter((line) => line.includes("docker compose up"));
  expect(lines).toEqual([
    `ExecStart=/bin/sh -c 'exec ${others("up -d --remove-orphans --wait --wait-timeout 900")}`,
    "ExecStartPost=-/usr/bin/docker compose up -d --no-deps agent",
    `ExecReload=/bin/sh -c 'exec ${others("up -d --remove-orphans --wait --wait-timeout 900 --force-recreate")}`,
    "ExecReload=-/usr/bin/docker compose up -d --no-deps agent",
  ]);
  expect(unit).toContain(`ExecReload=/bin/sh -c 'exec ${others("pull -q --policy missing")}\n`);
  expect(filesOf({}).file("livekit.service")).not.toMatch(/agent|900 \$/);
});

test("only beside an agent worker units read root's home, where docker login keeps its registry's password", () => {
  const image = "registry.example.com/team/agent:7";
  const more = { updates: "weekly", backups: { frequency: "daily" } };
  const units = ["livekit", "livekit-update", "livekit-health", "livekit-backup"];
  for (const name of units) {
    const beside = filesOf({ agent: { kind: "image", image }, ...more }).file(`${name}.service`);
    expect(beside, name).toContain("\nProtectHome=read-only\nEnvironment=HOME=/root\n");
    const alone = filesOf(more).file(`${name}.service`);
    expect(alone, name).toContain("\nProtectHome=yes\n");
    expect(alone, name).not.toContain("HOME=");
  }
});

test("calls by SIP and jobs of an agent end while new rooms begin, and the key of an agent follows a rotation", () => {
  const agent = { kind: "image", image: "team/agent:7" };
  using server = runningMachine({ sip: { kind: "on" }, agent });
  expect(server.mode("opt/livekit/agent.env")).toBe("600");
  expect(server.mode("opt/livekit/state/agent-key.env")).toBe("600");
  expect(server.systemctl("reload", "livekit.service")).toBe(0);
  expect(server.calls()).toMatch(
    /up -d .* --force-recreate caddy livekit redis sip\n[\s\S]*up -d --no-deps agent\n/,
  );
  server.forget();
  server.write("opt/livekit/agent.env", "MODEL_KEY='x'\n", 0o600);
  server.systemctl("stop", "livekit.service");
  const calls = server.calls();
  const stops = ["sip agent\n", "livekit\n", "\n"].map((named) =>
    calls.search(new RegExp(`docker compose stop ?${named}`)),
  );
  expect(stops).not.toContain(-1);
  expect(stops).toEqual(stops.toSorted((one, other) => one - other));
  expect(server.isSet("cut-off")).toBe(false);
  server.run("before-start");
  server.systemctl("start", "livekit.service");
  server.run("livekit-deploy", ["rotate", "api-key"]);
  const secrets = server.read("opt/livekit/secrets.env");
  const key = server.read("opt/livekit/state/agent-key.env");
  expect(key).toMatch(/^LIVEKIT_API_KEY=API\w{12}\nLIVEKIT_API_SECRET=\w{43}\n$/);
  for (const line of key.trim().split("\n")) expect(secrets).toContain(`${line}\n`);
  expect(server.read("opt/livekit/agent.env")).toBe("MODEL_KEY='x'\n");
});

test("an update moves an agent worker to another tag, from a tag and from a digest", () => {
  const digest = "0123456789abcdef".repeat(4);
  const images = [
    `registry.example.com:5000/team/agent:1@sha256:${digest}`,
    "registry.example.com:5000/team/agent:1.4.2",
    `registry.example.com:5000/team/agent@sha256:${digest}`,
  ];
  for (const from of sample(images, 1)) {
    using server = runningMachine({ agent: { kind: "image", image: from } });
    expect(server.run("livekit-deploy", ["update", "--to", "agent=Build_42"]).status).toBe(0);
    const compose = read(server.read("opt/livekit/docker-compose.yaml"));
    expect(at(compose, "services.agent.image")).toBe(
      "registry.example.com:5000/team/agent:Build_42",
    );
    expect(at(compose, "services.livekit.image")).toBe("livekit/livekit-server:v1.13.11");
  }
});

const authority = ["-----BEGIN CERTIFICATE-----", "bm8gcmVhbCBvbmU=", "-----END CERTIFICATE-----"];
const everyService = { recording: { kind: "local" }, ingress: "both", sip: { kind: "on" } };

test("M7: a Redis elsewhere with a certificate authority of its own is trusted by each service that reaches it", () => {
  const redis = { kind: "external", address: "redis.example.net:6380", ca: authority };
  const { file } = filesOf({ ...everyService, redis });
  expect(file("redis-ca.pem")).toBe(`${authority.join("\n")}\n`);
  for (const service of ["livekit", "egress", "ingress", "sip"]) {
    expect(at(read(file(`${service}.yaml`)), "redis"), service).toEqual({
      address: "redis.example.net:6380",
      tls: { enabled: true, ca_cert_file: "/etc/redis-ca.pem" },
    });
    const mounts = at(read(file("docker-compose.yaml")), `services.${service}.volumes`);
    expect(mounts, service).toContain("./redis-ca.pem:/etc/redis-ca.pem:ro");
  }
  expect(filesOf({}).file("docker-compose.yaml")).not.toContain("redis-ca.pem");
});

test("M7: Sentinels and clusters reach every service as LiveKit's configuration calls them", () => {
  const sentinel = {
    kind: "sentinel",
    addresses: ["one.example.net:26379", "two.example.net:26379"],
    master: "mymaster",
    username: "livekit",
  };
  const cluster = { kind: "cluster", addresses: ["10.0.0.5:6379"], tls: false };
  for (const service of ["livekit", "egress", "ingress", "sip"]) {
    const block = (redis: Record<string, unknown>) =>
      at(read(filesOf({ ...everyService, redis }).file(`${service}.yaml`)), "redis");
    expect(block(sentinel), service).toEqual({
      sentinel_master_name: "mymaster",
      sentinel_addresses: ["one.example.net:26379", "two.example.net:26379"],
      username: "livekit",
      tls: { enabled: true },
    });
    expect(block(cluster), service).toEqual({ cluster_addresses: ["10.0.0.5:6379"] });
  }
  const { file } = filesOf({ redis: sentinel });
  expect(file("deployment.env")).toContain("REDIS='external'\n");
  expect(file("docker-compose.yaml")).not.toContain("redis-server");
});

test.for([
  ["half a certificate", { ca: authority.slice(0, 2) }, "redis.ca"],
  ["an authority without TLS", { ca: authority, tls: false }, "redis.ca"],
  ["a key in place of a certificate", { ca: ["-----BEGIN PRIVATE KEY-----"] }, "redis.ca.0"],
  [
    "Sentinel without its master",
    { kind: "sentinel", addresses: ["a.example.net:1"] },
    "redis.master",
  ],
  ["a cluster without an address", { kind: "cluster", addresses: [] }, "redis.addresses"],
] as const)("a Redis elsewhere with %s is refused", ([, more, path]) => {
  const redis = "kind" in more ? more : { kind: "external", address: "a.example.net:1", ...more };
  const { problems } = parseOptions({
    domain: "livekit.example.com",
    email: "you@example.com",
    redis,
  });
  expect(problems?.map((problem) => problem.path)).toEqual([path]);
});
