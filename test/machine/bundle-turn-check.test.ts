import { spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { machine, runningMachine } from "../support/deployments/machine.ts";
import { base62, startTurnServer } from "../support/deployments/turn-server.ts";
import { testInProof } from "../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

const key = "APIabcdefghijkl";
const secret = "s".repeat(43);
const python = spawnSync("sh", ["-c", "PATH=/usr/bin:$PATH command -v python3"], {
  encoding: "utf8",
}).stdout.trim();

type Turn = Awaited<ReturnType<typeof startTurnServer>>;

/** What turn-check.py prints, asked for these ways with these keys. */
async function check(turn: Turn, ways: readonly string[], keys = `${key}\n${secret}\n`) {
  using server = machine();
  const child = spawn(python, [server.path("opt/livekit/bin/turn-check.py"), ...ways], {
    env: { ...process.env, SSL_CERT_FILE: turn.authority },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  // A command that ends without reading its input closes the pipe, and writing to it fails (EPIPE).
  child.stdin.on("error", () => undefined);
  child.stdin.end(keys);
  const [status] = await once(child, "close");
  return { status, lines: output.split("\n").slice(0, -1) };
}

const both = ({ udpPort, tlsPort }: Turn) => [
  `udp=127.0.0.1:${udpPort}`,
  `tls=127.0.0.1:${tlsPort}=turn.livekit.example.com`,
];

test("what the TURN server of these tests reads is LiveKit's base62", () => {
  // Made by github.com/jxskiss/base62 v1.1.0.
  expect(base62(Buffer.from("APIabcdefghijkl|PA_doctor|1795363158"))).toBe(
    "4UTMzYzM1kzNxwncvR3YvR2XBBFfYbN1SDtzMrMyGTswSCqgA",
  );
  expect(base62(Buffer.from([255, 255, 255, 255, 255, 255, 255]))).toBe("fffffffffffB");
  expect(base62(Buffer.from([0, 30, 31, 62, 63, 0xf8]))).toBe("4fHf8hHAA");
});

test.each([
  ["from v1.12 on", true],
  ["before v1.12", false],
])("relays are had with LiveKit's credentials %s, and given back", async (_, expiry) => {
  using turn = await startTurnServer({ keys: { [key]: secret }, expiry });
  expect(await check(turn, both(turn))).toEqual({
    status: 0,
    lines: [
      "udp ok relay at 203.0.113.5, port 30001",
      "tls ok relay at 203.0.113.5, port 30002",
      "hairpin ok 203.0.113.5",
    ],
  });
  expect(turn.seen).toContain("sent to 203.0.113.5");
  expect(turn.seen).toContain("udp released");
});

test("one way alone is enough for the packet, and it goes to a media port", async () => {
  using turn = await startTurnServer({ keys: { [key]: secret }, expiry: true });
  const [udp = "", tls = ""] = both(turn);
  for (const way of [udp, tls])
    expect((await check(turn, [way])).lines.at(-1)).toBe("hairpin ok 203.0.113.5");
  expect(turn.seen.filter((one) => one.endsWith(" relay"))).toEqual(["udp relay", "tls relay"]);
});

// A copy of what comes to a port that LiveKit has itself is for root only.
test.runIf(process.getuid?.() === 0)(
  "where all media has one port, which LiveKit has, the packet is seen there",
  async () => {
    const mediaPort = createSocket("udp4").bind(0, "127.0.0.1");
    await once(mediaPort, "listening");
    const { port } = mediaPort.address();
    using turn = await startTurnServer({
      keys: { [key]: secret },
      expiry: true,
      media: [port, port],
    });
    const { lines } = await check(turn, [...both(turn), `media=${port}`]);
    expect(lines.at(-1)).toBe("hairpin ok 203.0.113.5");
    mediaPort.close();
  },
);

test("an Allocate that is refused after a good handshake is reported, as where ::1 is localhost", async () => {
  const faults = { allocateOverTls: 508 };
  using turn = await startTurnServer({ keys: { [key]: secret }, expiry: true, faults });
  expect((await check(turn, both(turn))).lines).toEqual([
    "udp ok relay at 203.0.113.5, port 30001",
    "tls silent Allocate was answered with 508",
    "hairpin ok 203.0.113.5",
  ]);
});

testInProof("a TURN server that never answers is reported in time", async () => {
  const faults = { silent: "both" } as const;
  using turn = await startTurnServer({ keys: { [key]: secret }, expiry: true, faults });
  expect((await check(turn, both(turn))).lines).toEqual([
    "udp silent no answer",
    "tls silent no answer",
  ]);
});

test("a packet that the network does not bring back is reported, and so is a refused permission", async () => {
  for (const [faults, result] of [
    [{ hairpin: false }, "hairpin lost 203.0.113.5"],
    [{ permission: 403 }, "hairpin refused 203.0.113.5: a permission was answered with 403"],
  ] as const) {
    using turn = await startTurnServer({ keys: { [key]: secret }, expiry: true, faults });
    expect((await check(turn, both(turn))).lines.at(-1)).toBe(result);
  }
});

test("a certificate for another name, or of an unknown authority, is reported", async () => {
  using turn = await startTurnServer({ keys: { [key]: secret }, expiry: true });
  const other = await check(turn, [`tls=127.0.0.1:${turn.tlsPort}=turn.example.org`]);
  expect(other.lines).toEqual([
    expect.stringMatching(/^tls silent no handshake as turn\.example\.org: Hostname mismatch/),
  ]);
  const unknown = await check({ ...turn, authority: "/dev/null" }, both(turn).slice(1));
  expect(unknown.lines).toEqual([
    expect.stringMatching(/^tls silent no handshake as turn\.livekit\.example\.com: /),
  ]);
  expect(turn.seen).toEqual([]);
});

test("keys that TURN refuses are reported, and so is an old key that it still takes", async () => {
  using turn = await startTurnServer({ keys: { [key]: secret }, expiry: true });
  expect((await check(turn, both(turn), `${key}\nother\n\n\n`)).lines).toEqual([
    "udp refused Allocate was answered with 400",
    "tls refused Allocate was answered with 400",
  ]);
  const rotating = await check(turn, both(turn), `APInew\nnew\n${key}\n${secret}\n`);
  expect(rotating.lines.slice(2)).toEqual(["hairpin ok 203.0.113.5", "key pending"]);
});

test("parameters that are not understood end it", async () => {
  using turn = await startTurnServer({ keys: {}, expiry: true });
  for (const wrong of ["tcp=127.0.0.1:1", "udp=127.0.0.1", "udp"])
    expect(await check(turn, [wrong])).toEqual({ status: 64, lines: [] });
});

test("the doctor finds dead TURN and a network without hairpin by asking for relays", async () => {
  for (const [faults, codes] of [
    [{}, []],
    [{ silent: "udp" }, ["turn.udp.silent"]],
    [{ allocateOverTls: 508 }, ["turn.tls.silent"]],
    [{ hairpin: false }, ["turn.hairpin"]],
  ] as const) {
    using server = runningMachine();
    const secrets = Object.fromEntries(
      [...server.read("opt/livekit/secrets.env").matchAll(/^(\w+)=(.*)$/gm)].map((one) =>
        one.slice(1),
      ),
    );
    const keys = { [secrets.LIVEKIT_API_KEY]: secrets.LIVEKIT_API_SECRET };
    using turn = await startTurnServer({ keys, expiry: true, faults });
    server.command(
      "python3",
      `for one; do shift; set -- "$@" "$(echo "$one" | sed "s/:3478$/:${turn.udpPort}/; s/:443=/:${turn.tlsPort}=/")"; done; exec ${python} "$@"`,
    );
    const child = server.start("doctor", ["--report"], { SSL_CERT_FILE: turn.authority });
    let output = "";
    child.stdout.on("data", (text) => {
      output += text;
    });
    child.stderr.resume();
    const [status] = await once(child, "close");
    expect(
      output
        .split("\n")
        .slice(0, -1)
        .map((line) => line.split("\t")[0]),
    ).toEqual(codes);
    expect(status).toBe(codes.length > 0 ? 2 : 0);
  }
});
