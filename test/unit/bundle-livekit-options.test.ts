import { expect, test } from "vitest";
import { bundle } from "~/deployments/bundle/bundle.ts";
import { optionsFrom } from "../fixtures/bundle-cases.ts";
import { at, read, textOf } from "../fixtures/bundle-checks.ts";

function filesOf(typed: Record<string, unknown>) {
  const made = bundle(
    optionsFrom({ domain: "livekit.example.com", sshSource: ["192.0.2.1"], ...typed }),
  );
  const file = (path: string) => textOf(made, path);
  return { made, file, livekit: read(file("livekit.yaml")) };
}

test("a deployment that chose nothing of it keeps its livekit.yaml byte for byte", () => {
  expect(filesOf({}).file("livekit.yaml")).toBe(`\
# LiveKit v1.13.5. Keys and the Redis password come from secrets.env.
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
  address: localhost:6379
turn:
  enabled: true
  domain: turn.livekit.example.com
  tls_port: 5349
  external_tls: true
  udp_port: 3478
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
