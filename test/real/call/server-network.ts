// A LiveKit server in a network namespace of its own, and between it and this machine's browser a firewall.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { callKey, callSecret } from "../../support/deployments/call-server.ts";
import { ran } from "../media/world/commands.ts";
import { type Cleanup, removesSpaces, startCleanup } from "./cleanup.ts";
import { findLivekitServer } from "./requirements.ts";

/** What the firewall lets through; `only-443` is the strictest that people work behind. */
const firewalls = {
  open: [],
  "no-udp": ["iifname wan0 meta l4proto udp drop"],
  "only-443": ["iifname wan0 tcp dport 443 accept", "iifname wan0 drop"],
} as const;

export type ServerNetwork = {
  firewall: keyof typeof firewalls;
  /** Whether LiveKit's TURN server runs. */
  turn: boolean;
  /** Whether the browser knows who issued the certificate. */
  goodCertificate: boolean;
  /** The program at port 443, by the files of its key and certificate; without it one that only divides by name. */
  front?: (key: string, certificate: string) => { command: readonly string[]; word: string };
};

export const domain = "media.example.com";
export const turnName = `turn.${domain}`;
/** Of the range for documentation (RFC 5737): nobody's. */
const [here, there] = ["203.0.113.1", "203.0.113.10"];
/** Two runs can share a machine. */
const run = `${process.env.TEST_PORT_BASE ?? 24700}`;
const [space, cable] = [`lkc${run}`, `lkc${run}`];

/** Starts it; `flags` make a Chromium find it and, if its certificate is good, trust it. */
export async function startServerNetwork({
  firewall,
  turn,
  goodCertificate,
  front = dividingFront,
}: ServerNetwork) {
  const cleanup = startCleanup();
  const folder = mkdtempSync(join(tmpdir(), "server-network-"));
  cleanup.add(`rm -rf ${folder}`);
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = [
    "-subj",
    `/CN=${domain}`,
    "-addext",
    `subjectAltName=DNS:${domain},DNS:${turnName}`,
  ];
  ran([
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
    ...["-nodes", "-days", "2", "-keyout", key, "-out", certificate, ...subject],
  ]);
  makeNetwork(firewall, cleanup);
  const rtc = {
    ...{ tcp_port: 7881, port_range_start: 50_000, port_range_end: 50_020 },
    ...{ node_ip: there, use_external_ip: false, interfaces: { includes: ["wan0"] } },
  };
  const configuration = {
    ...{ port: 7880, bind_addresses: ["127.0.0.1"], rtc },
    turn: turn
      ? { enabled: true, domain: turnName, tls_port: 5349, external_tls: true, udp_port: 3478 }
      : { enabled: false },
    keys: { [callKey]: callSecret },
    logging: { level: "info" },
  };
  const livekit = [findLivekitServer(), "--config-body", JSON.stringify(configuration)];
  const { command, word } = front(key, certificate);
  const programs = [
    await started(livekit, "starting LiveKit server"),
    await started(command, word),
  ];
  const spki = new X509Certificate(readFileSync(certificate)).publicKey.export({
    ...{ type: "spki", format: "der" },
  });
  const names = [domain, turnName].map((name) => `MAP ${name} ${there}`).join(", ");
  const trusted = createHash("sha256").update(spki).digest("base64");
  return {
    flags: [
      `--host-resolver-rules=${names}, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE ${there}`,
      ...(goodCertificate ? [`--ignore-certificate-errors-spki-list=${trusted}`] : []),
    ],
    /** How many packets the firewall has dropped. */
    dropped: () =>
      [...inside("nft list chain inet proof in").matchAll(/packets (\d+) bytes \d+ drop/g)].reduce(
        (sum, [, packets]) => sum + Number(packets),
        0,
      ),
    async [Symbol.asyncDispose]() {
      for (const program of programs) {
        program.kill("SIGKILL");
        await once(program, "exit");
      }
      await cleanup[Symbol.asyncDispose]();
    },
  };
}

const dividingFront = (key: string, certificate: string) => ({
  command: [process.execPath, "test/real/call/tls-front.ts", key, certificate, turnName],
  word: "ready",
});

const inside = (command: string, input?: string) => ran(`ip netns exec ${space} ${command}`, input);

function makeNetwork(firewall: ServerNetwork["firewall"], cleanup: Cleanup): void {
  removesSpaces(cleanup, [space]);
  // What a run that was killed left holds the namespace, and with it the other end.
  if (ran("ip -o link").includes(` ${cable}@`)) ran(`ip link del ${cable}`);
  cleanup.add(`ip link del ${cable}`);
  ran(`ip netns add ${space}`);
  ran(`ip link add ${cable} type veth peer name wan0 netns ${space}`);
  ran(`ip addr add ${here}/24 dev ${cable}`);
  // An address that comes a second later would be a change of the network to a browser.
  ran(`sysctl -qw net.ipv6.conf.${cable}.disable_ipv6=1`);
  ran(`ip link set ${cable} up`);
  for (const command of ["link set lo up", `addr add ${there}/24 dev wan0`, "link set wan0 up"]) {
    inside(`ip ${command}`);
  }
  const rules = firewalls[firewall]
    .map((rule) => rule.replace(/ drop$/, " counter drop"))
    .join("\n");
  inside(
    "nft -f -",
    `table inet proof { chain in { type filter hook input priority 0; policy accept;\n${rules}\n}\n}\n`,
  );
}

/** A program in the namespace that has said that it is ready. */
async function started(command: readonly string[], word: string): Promise<ChildProcess> {
  const [program = "", ...rest] = ["ip", "netns", "exec", space, ...command];
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on("line", (line) => {
      lines.push(line);
      if (line.includes(word)) resolve();
    });
  }
  child.once("exit", () => reject(new Error(lines.join("\n"))));
  await promise;
  return child;
}
