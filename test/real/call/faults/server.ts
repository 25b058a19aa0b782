// A LiveKit server with Caddy and the machine's scripts as a bundle has them, which can be broken.
import { createHash, createHmac, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { port } from "~/features/deployments/bundle/ports.ts";
import { checkFindings, type RungResult, withCheck } from "~/features/deployments/checks/check.ts";
import { parseEvent, type SessionEvent } from "~/features/servers/room-sessions/session-event.ts";
import { certificateOf, newAuthority } from "../../../../fakes/internet/authority.ts";
import { callKey, callSecret } from "../../../support/deployments/call-server.ts";
import { outcomeOf } from "../../media/world/commands.ts";
import type { Cleanup } from "../cleanup.ts";
import { joinToken } from "../join-token.ts";
import { machineFolders } from "../machine-folders.ts";
import { findLivekitServer } from "../requirements.ts";
import { domain, turnName } from "../server-network.ts";
import type { Network } from "./network.ts";
import { address, at, inside } from "./places.ts";
import { startProgram } from "./programs.ts";
import { startRedis } from "./redis.ts";

const dayMs = 86_400_000;
const badPort = 8_444;

export type Server = Awaited<ReturnType<typeof startServer>>;

/** What of LiveKit's configuration a fault changes. */
type Changes = { rtc?: object; redis?: object; room?: object; keys?: Record<string, string> };

export async function startServer({ network, cleanup }: { network: Network; cleanup: Cleanup }) {
  const folder = mkdtempSync(join(tmpdir(), "call-faults-"));
  const machine = machineFolders();
  cleanup.add(`rm -rf ${folder} ${machine.root}`);
  const authority = newAuthority();
  const roots = join(folder, "roots.pem");
  writeFileSync(roots, authority.cert);
  const good = certificate("good", [domain, turnName], Date.now() + 300 * dayMs);

  function certificate(name: string, names: readonly string[], ends: number) {
    const made = certificateOf(authority, names, ends);
    const files = [`${name}-key.pem`, `${name}.pem`].map((file) => join(folder, file));
    const [key = "", cert = ""] = files;
    writeFileSync(key, made.key);
    writeFileSync(cert, made.cert);
    return { key, cert };
  }

  const configuration = ({ keys = { [callKey]: callSecret }, ...changes }: Changes) => ({
    ...{ port: 7_880, bind_addresses: ["127.0.0.1"], prometheus: { port: 6_789 } },
    rtc: {
      ...{ tcp_port: 7_881, port_range_start: 50_000, port_range_end: 50_100 },
      ...{ node_ip: address.server, use_external_ip: false },
      ...{ interfaces: { includes: ["off0"] }, ...changes.rtc },
    },
    turn: {
      ...{ enabled: true, domain: turnName, tls_port: 5_349, external_tls: true },
      udp_port: 3_478,
    },
    webhook: {
      api_key: Object.keys(keys)[0],
      urls: [`http://127.0.0.1:${port.sessionEvents}/events`],
    },
    keys,
    logging: { level: "info" },
    ...(changes.redis ? { redis: changes.redis } : {}),
    ...(changes.room ? { room: changes.room } : {}),
  });
  const start = (changes: Changes) =>
    startProgram(
      "server",
      [findLivekitServer(), "--config-body", JSON.stringify(configuration(changes))],
      "starting LiveKit server",
    );
  const { command, word } = machine.front(good.key, good.cert);
  let livekit = await start({});
  let isAsUsual = true;
  const caddy = await startProgram("server", command, word);
  const events: SessionEvent[] = [];
  const spki = new X509Certificate(readFileSync(good.cert)).publicKey;
  const trusted = createHash("sha256")
    .update(spki.export({ type: "spki", format: "der" }))
    .digest("base64");

  const twirp = (method: string, body: object, grants: object) => {
    const token = joinToken({ identity: "", room: "", grants: { ...grants } });
    const url = `http://127.0.0.1:7880/twirp/livekit.RoomService/${method}`;
    inside(
      "server",
      `curl -fsS -X POST -H @- -d ${JSON.stringify(body)} ${url}`,
      [`Authorization: Bearer ${token}`, "Content-Type: application/json"].join("\n"),
    );
  };

  async function restart(changes: Changes = {}): Promise<void> {
    isAsUsual = false;
    await livekit.kill();
    livekit = await start(changes);
    isAsUsual = Object.keys(changes).length === 0;
  }

  return {
    folder,
    machine,
    /** Browsers that know this certificate's key trust it. */
    trusted,
    /** Takes what the machine's report has, as the console does, and answers all that it has taken. */
    events(): readonly SessionEvent[] {
      const lines = machine.reported();
      for (const [kind = "", ...fields] of lines) {
        const isOurs = kind === "event" || kind === "call";
        const event = isOurs ? parseEvent(fields) : undefined;
        if (event) events.push(event);
        const [spool = "", through = ""] = fields;
        if (kind === "events" || kind === "evidence") machine.acknowledge(spool, through);
      }
      return events;
    },
    /** The name as the machine sends it. */
    hash(kind: "identity" | "room", name: string): string {
      const key = readFileSync(join(machine.root, "opt/livekit/session-names.key"), "utf8").trim();
      return createHmac("sha256", key).update(`${kind}\n${name}`).digest("hex").slice(0, 12);
    },
    /** What checks from outside have found once it was so twice, from the home's network. */
    async check() {
      const { output } = await outcomeOf([
        ...at("home"),
        ...[process.execPath, "--no-warnings", resolve("test/real/media/outside-check.ts")],
        ...[roots, domain, address.server],
      ]);
      const results = JSON.parse(output) as RungResult[];
      const once = withCheck({ ...before, results }, results, Date.now(), true);
      return checkFindings(withCheck(once, results, Date.now(), true));
    },
    /** By what its metrics say, as the report has it. */
    process() {
      const metrics = inside("server", "curl -fsS http://127.0.0.1:6789/metrics");
      const [, started = ""] = /^process_start_time_seconds (\S+)$/m.exec(metrics) ?? [];
      return { startedAt: Number(started) * 1_000 };
    },
    kill: () => {
      isAsUsual = false;
      return livekit.kill();
    },
    /** As systemd ends it, and at once: LiveKit waits after the first signal until everybody has left. */
    async stop(): Promise<void> {
      isAsUsual = false;
      livekit.signal("SIGTERM");
      await livekit.says("exit requested");
      livekit.signal("SIGTERM");
      await livekit.ended();
    },
    restart,
    /** LiveKit runs as it usually does. */
    async heal(): Promise<void> {
      if (!isAsUsual) await restart();
    },
    createRoom: (name: string, more: object) =>
      twirp("CreateRoom", { name, ...more }, { roomCreate: true }),
    deleteRoom: (room: string) => twirp("DeleteRoom", { room }, { roomCreate: true }),
    remove: (room: string, identity: string) =>
      twirp("RemoveParticipant", { room, identity }, { roomAdmin: true, room }),
    startRedis: () => startRedis({ folder, network, cleanup }),
    /** As many programs that do nothing but work as there are processors. */
    burn: () =>
      Promise.all(
        Array.from({ length: availableParallelism() + 1 }, () =>
          network.start("server", [process.execPath, "-e", "for (;;) {}"]),
        ),
      ),
    /** Everybody is shown another certificate from now on. */
    async showCertificate(names: readonly string[], ends: number) {
      const { key, cert } = certificate("bad", names, ends);
      const front = resolve("test/real/call/tls-front.ts");
      const bad = [process.execPath, front, key, cert, turnName, `${badPort}`];
      await network.start("server", bad, "ready");
      network.firewall("server", { redirect: [`tcp dport 443 redirect to :${badPort}`] });
    },
    /** The office's proxy opens TLS. */
    async openTls(...rule: readonly string[]) {
      const proxy = resolve("test/real/call/faults/opening-proxy.ts");
      const files = [good.key, good.cert];
      const command = [process.execPath, proxy, ...files, address.server, `${badPort}`, ...rule];
      await network.start("server", command, "ready");
    },
    async [Symbol.asyncDispose]() {
      await livekit.kill();
      await caddy.kill();
      machine[Symbol.dispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Its name has led to it before. */
const before = { at: 0, changedAt: 0, failing: [], isScheduled: true };
export const openedPort = badPort;
