import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { objectsIn } from "../../support/kubernetes/objects.ts";
import { deploymentOf, environmentOf } from "../../support/kubernetes/pods.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { findProgram } from "../call/requirements.ts";
import { startProgram } from "../media/world/program.ts";

const portBase = Number(process.env.TEST_PORT_BASE ?? 24700);
const ports = { redis: portBase + 20, http: portBase + 21 };
const password = "p4ss: {word} #1";

const objects = objectsIn(readFileSync("test/support/kubernetes/rendered/any.yaml", "utf8"));

/** Its ports and its Redis on this machine, where no STUN server says an address. Everything else is as it stands. */
const onThisMachine = (configuration: string) =>
  [
    [/^port: 7880$/m, `port: ${ports.http}`],
    ["redis.livekit.svc:6379", `127.0.0.1:${ports.redis}`],
    ["use_external_ip: true", "node_ip: 127.0.0.1"],
    ["tcp_port: 7881", `tcp_port: ${portBase + 22}`],
    ["prometheus_port: 6789", `prometheus_port: ${portBase + 23}`],
    ["tls_port: 5349", `tls_port: ${portBase + 24}`],
    ["udp_port: 3478", `udp_port: ${portBase + 25}`],
  ].reduce((text: string, [from = "", to = ""]) => {
    expect(text).toMatch(from instanceof RegExp ? from : new RegExp(String(from)));
    return text.replace(from, String(to));
  }, configuration);

const startRedis = (folder: string) =>
  startProgram(
    [
      findProgram("redis-server"),
      ...["--port", `${ports.redis}`, "--bind", "127.0.0.1", "--dir", folder],
      ...["--requirepass", password, "--save", ""],
    ],
    /Ready to accept connections/,
  );

/** As the kubelet asks: whether the port takes a connection, and what `/` answers. */
const lives = () =>
  new Promise<boolean>((resolve) => {
    const socket = connect(ports.http, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
const readiness = () =>
  fetch(`http://127.0.0.1:${ports.http}/`).then(
    ({ status }) => status,
    () => 0,
  );

test("LiveKit takes what its pod has: keys of a file, Redis' password of a variable; without Redis it lives and is not ready", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pod-"));
  await using _removed = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  const secrets = {
    "livekit-secrets": {
      "keys.yaml": `APIproof: ${"s".repeat(64)}\n`,
      "redis-password": password,
    },
  };
  // The Secret's file is in the folder in which LiveKit starts, as the chart mounts it.
  writeFileSync(join(folder, "keys.yaml"), secrets["livekit-secrets"]["keys.yaml"], {
    mode: 0o600,
  });
  const environment = environmentOf(objects, "livekit-server", secrets);
  const certificate = {
    LIVEKIT_TURN_CERT: join(folder, "tls.crt"),
    LIVEKIT_TURN_KEY: join(folder, "tls.key"),
  };
  expect(Object.keys(environment)).toEqual(expect.arrayContaining(Object.keys(certificate)));
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
  const names = ["-subj", "/CN=turn.livekit.example.com"];
  const files = ["-out", certificate.LIVEKIT_TURN_CERT, "-keyout", certificate.LIVEKIT_TURN_KEY];
  expect(spawnSync("openssl", [...request.split(" "), ...names, ...files]).status).toBe(0);
  const { args = [] } = deploymentOf(objects, "livekit-server").container;
  const command = [findProgram("livekit-server"), ...args];
  const start = (more: Record<string, string> = {}) =>
    startProgram(
      ["sh", "-c", 'cd "$POD" && exec "$@"', "pod", ...command],
      /starting LiveKit server/,
      {
        ...environment,
        ...certificate,
        LIVEKIT_CONFIG: onThisMachine(environment.LIVEKIT_CONFIG ?? ""),
        POD: folder,
        ...more,
      },
    );
  const redis = await startRedis(folder);
  await expect(start({ REDIS_PASSWORD: "another" })).rejects.toThrow(/WRONGPASS/);
  await using _livekit = await start();
  await pollUntil(readiness, (status) => status === 200, 20_000);
  await redis[Symbol.asyncDispose]();
  await pollUntil(readiness, (status) => status === 406, 20_000);
  expect(await lives()).toBe(true);
  await using _again = await startRedis(folder);
  await pollUntil(readiness, (status) => status === 200, 20_000);
});
