// The faults: how each is made, and by which codes of explanations its cause is said.
import { execFileSync } from "node:child_process";
import { expect } from "vitest";
import type { Scene } from "./scene.ts";
import { openedPort } from "./server.ts";

export type Fault = {
  name: string;
  /** The codes that say its cause. */
  causes: readonly string[];
  happen: (scene: Scene) => Promise<unknown>;
};

const udp = "meta l4proto udp drop";
const only443 = ["tcp dport 443 accept", "drop"];
/** What comes to the server from the office alone. */
const office = (...rules: string[]) => rules.map((rule) => `iifname off0 ${rule}`);
const toOpened = `tcp dport 443 redirect to :${openedPort}`;
const dayMs = 86_400_000;

/** Networks of the people. */
const networks: readonly Fault[] = [
  {
    name: "UDP is blocked on its way to the server",
    causes: ["way.udp"],
    happen: ({ network, talk }) => {
      network.firewall("server", { in: office(udp) });
      return talk();
    },
  },
  {
    name: "UDP is blocked on its way back",
    causes: ["way.udp"],
    happen: ({ network, talk }) => {
      network.firewall("server", { out: [`oifname off0 ${udp}`] });
      return talk();
    },
  },
  {
    name: "UDP is blocked on one device",
    causes: ["way.device"],
    happen: ({ network, talk }) => {
      network.firewall("desk", { out: [udp] });
      return talk(["desk", "colleague", "home"]);
    },
  },
  {
    name: "only port 443 is open",
    causes: ["way.443"],
    happen: ({ network, talk }) => {
      network.firewall("server", { in: office(...only443) });
      return talk();
    },
  },
  {
    name: "only port 443 is open, and TURN is down",
    causes: ["media.turn"],
    happen: ({ network, talk }) => {
      network.firewall("server", {
        in: [...office(...only443), "iifname lo tcp dport 5349 reject"],
      });
      return talk();
    },
  },
  {
    name: "a proxy opens TLS, and nothing else is open",
    causes: ["media.proxy"],
    happen: async ({ network, server, talk }) => {
      const proxy = await server.openTls();
      network.firewall("server", {
        in: office(`tcp dport { 443, ${openedPort} } accept`, "drop"),
        redirect: office(toOpened),
      });
      await talk(["desk", "colleague", "home"]);
      await proxy.kill();
    },
  },
  {
    name: "a proxy lets no WebSocket through",
    causes: ["join.network"],
    happen: async ({ network, server, talk }) => {
      const proxy = await server.openTls("no-websocket");
      network.firewall("server", { redirect: office(toOpened) });
      await talk();
      await proxy.kill();
    },
  },
  {
    name: "a filter on one device blocks the server's name",
    causes: ["join.device"],
    happen: async ({ network, server, talk }) => {
      const proxy = await server.openTls("blocked", "media.example.com");
      network.firewall("server", { redirect: office(`ip saddr 203.0.113.21 ${toOpened}`) });
      await talk(["desk", "colleague", "home"]);
      await proxy.kill();
    },
  },
  {
    name: "only port 80 is open",
    causes: ["absent"],
    happen: async ({ network, join, check }) => {
      network.firewall("server", {
        in: office("tcp dport 80 accept", "tcp dport 443 reject", "drop"),
      });
      await Promise.all([join("desk"), join("home"), check()]);
    },
  },
  {
    name: "large packets are lost: an MTU of 1200",
    causes: ["media.handshake"],
    happen: ({ network, talk }) => {
      network.mtu("desk", 1_200);
      network.firewall("server", { in: office("tcp dport 7881 drop") });
      return talk();
    },
  },
  {
    name: "UDP of more than 600 bytes is dropped",
    causes: ["media.handshake"],
    happen: ({ network, talk }) => {
      network.firewall("server", {
        in: office("udp length > 600 drop", "tcp dport 7881 drop"),
        out: ["oifname off0 udp length > 600 drop"],
      });
      return talk();
    },
  },
  {
    name: "8 % of the packets are lost at home",
    causes: ["loss.network"],
    happen: ({ network, talk }) => {
      network.impair("server", "loss 8%");
      network.impair("desk", "loss 8%");
      return talk();
    },
  },
  {
    name: "20 % of the packets are lost in a whole office",
    causes: ["loss.network"],
    happen: ({ network, talk }) => {
      network.impair("server", "loss 20%");
      network.impair("desk", "loss 20%");
      network.impair("colleague", "loss 20%");
      return talk(["desk", "colleague", "home"]);
    },
  },
  {
    name: "20 % of the packets are lost at one desk",
    causes: ["loss.device"],
    happen: ({ network, talk }) => {
      network.impair("desk", "loss 20%");
      network.impair("server", "loss 20%", "off1");
      return talk(["desk", "colleague", "home"]);
    },
  },
  {
    name: "packets take 600 ms there and back",
    causes: ["slow.network"],
    happen: ({ network, talk }) => {
      network.impair("desk", "delay 600ms");
      return talk();
    },
  },
  {
    name: "packets come unevenly",
    causes: ["jitter.network"],
    happen: ({ network, talk }) => {
      network.impair("server", "delay 120ms 110ms");
      return talk();
    },
  },
  {
    name: "the line is too narrow",
    causes: ["full.network", "slow.network", "loss.network"],
    happen: ({ network, talk }) => {
      network.impair("desk", "rate 24kbit limit 20");
      return talk();
    },
  },
  {
    name: "the name of TURN does not exist, and only port 443 is open",
    causes: ["media.turn"],
    happen: async ({ network, join, check, reported }) => {
      network.resolve({ turn: null });
      network.firewall("server", { in: office(...only443) });
      const kind = { names: { turn: null } };
      await Promise.all([join("desk", { kind }), join("home"), check()]);
      await reported("participant_connection_aborted", "desk");
    },
  },
];

/** The server and what it stands on. */
const servers: readonly Fault[] = [
  {
    name: "the server's ports for UDP are closed",
    causes: ["way.server"],
    happen: ({ network, talk }) => {
      network.firewall("server", { in: ["udp dport 50000-50100 drop"] });
      return talk();
    },
  },
  {
    name: "the server's firewall lets only 443 through",
    causes: ["way.server"],
    happen: ({ network, talk }) => {
      network.firewall("server", { in: ["iifname lo accept", ...only443] });
      return talk();
    },
  },
  {
    name: "the server's firewall lets only 443 through, and TURN is down",
    causes: ["media.server"],
    happen: ({ network, talk }) => {
      network.firewall("server", {
        in: ["iifname lo tcp dport 5349 reject", "iifname lo accept", ...only443],
      });
      return talk();
    },
  },
  {
    name: "the server's own line loses 10 %",
    causes: ["loss.server"],
    happen: ({ network, talk }) => {
      network.impair("server", "loss 10%");
      network.impair("server", "loss 10%", "hom0");
      return talk();
    },
  },
  {
    name: "the server's own line is slow",
    causes: ["slow.server"],
    happen: ({ network, talk }) => {
      network.impair("server", "delay 600ms");
      network.impair("server", "delay 600ms", "hom0");
      return talk();
    },
  },
  {
    name: "the certificate has ended",
    causes: ["absent.server"],
    happen: async ({ server, join, check }) => {
      const front = await server.showCertificate(
        ["media.example.com", "turn.media.example.com"],
        Date.now() - dayMs,
      );
      await Promise.all([join("desk"), check()]);
      await front.kill();
    },
  },
  {
    name: "the certificate is for another name",
    causes: ["absent.server"],
    happen: async ({ server, join, check }) => {
      const front = await server.showCertificate(["www.example.com"], Date.now() + 90 * dayMs);
      await Promise.all([join("desk"), check()]);
      await front.kill();
    },
  },
  {
    name: "the name leads to another machine",
    causes: ["absent.server"],
    happen: async ({ network, join, check }) => {
      network.resolve({ domain: "203.0.113.77", turn: "203.0.113.77" });
      const kind = { names: { domain: "203.0.113.77", turn: "203.0.113.77" } };
      await Promise.all([join("desk", { kind }), check()]);
    },
  },
  {
    name: "processors are busy with something else, as Egress is",
    causes: ["quality.processor"],
    happen: async ({ server, talk, figures }) => {
      const burners = await server.burn();
      const before = processorTimes();
      await talk();
      figures({ processor: busyShare(before, processorTimes()) });
      for (const burner of burners) await burner.kill();
    },
  },
  {
    name: "LiveKit is stopped in a call",
    // Its last webhooks may be lost with it.
    causes: ["said.SERVER_SHUTDOWN", "restart"],
    happen: async ({ server, join, reported, restarted }) => {
      await Promise.all([join("desk"), join("home")]);
      await reported("participant_joined", "desk");
      server.signal("SIGTERM");
      server.signal("SIGTERM");
      await server.ended();
      const at = Date.now();
      await server.restart();
      restarted({ at, startedAt: server.process().startedAt });
    },
  },
  {
    name: "LiveKit is killed in a call",
    causes: ["restart"],
    happen: async ({ server, join, reported, restarted }) => {
      await Promise.all([join("desk"), join("home")]);
      await reported("participant_joined", "desk");
      await server.kill();
      const at = Date.now();
      await server.restart();
      restarted({ at, startedAt: server.process().startedAt });
    },
  },
  {
    name: "the disk is full, so that Redis takes nothing",
    causes: ["join.server"],
    happen: async ({ server, talk, found }) => {
      await using redis = await server.startRedis();
      await server.restart({ redis: { address: redis.address } });
      redis.fillDisk();
      await expect.poll(redis.takes, { timeout: 20_000 }).toBe(false);
      await talk(["desk"]);
      if (redis.usedShare() >= 95) found("disk.full", "/opt/livekit");
      await server.restart();
    },
  },
  {
    name: "Redis has ended",
    causes: ["join.server"],
    happen: async ({ server, talk, found }) => {
      await using redis = await server.startRedis();
      await server.restart({ redis: { address: redis.address } });
      await redis.kill();
      await talk(["desk"]);
      if (!(await redis.answers())) found("service.down", "redis");
      await server.restart();
    },
  },
  {
    name: "LiveKit does not run",
    causes: ["join.server"],
    happen: async ({ server, talk }) => {
      await server.kill();
      await talk(["desk"]);
      await server.restart();
    },
  },
];

/** Tokens, rooms, devices and what people do. */
const others: readonly Fault[] = [
  {
    name: "the token has ended",
    causes: ["token.ended"],
    happen: ({ talk }) => talk(["desk", "home"], { token: { seconds: -3_600, beginsIn: -7_200 } }),
  },
  {
    name: "the clock of the back end is an hour ahead",
    causes: ["token.early"],
    happen: ({ talk }) => talk(["desk", "home"], { token: { seconds: 7_200, beginsIn: 3_600 } }),
  },
  {
    name: "the key of the back end is of no machine of theirs",
    causes: ["absent"],
    happen: ({ join }) =>
      Promise.all([join("desk", { token: { secret: "x".repeat(44) } }), join("home")]),
  },
  {
    name: "LiveKit runs with other keys than the machine's file has",
    causes: ["token.refused"],
    happen: async ({ server, talk }) => {
      await server.restart({ keys: { APIanother: "y".repeat(44) } });
      await talk(["desk"]);
      await server.restart();
    },
  },
  {
    name: "somebody is removed",
    causes: ["said.PARTICIPANT_REMOVED"],
    happen: async ({ server, room, join, reported }) => {
      await Promise.all([join("desk"), join("home")]);
      server.remove(room, "desk");
      await reported("participant_left", "desk");
    },
  },
  {
    name: "the room is deleted",
    causes: ["said.ROOM_DELETED"],
    happen: async ({ server, room, join, reported }) => {
      await Promise.all([join("desk"), join("home")]);
      server.deleteRoom(room);
      await reported("participant_left", "desk");
    },
  },
  {
    name: "the same identity joins in a second tab",
    causes: ["said.DUPLICATE_IDENTITY"],
    happen: async ({ join, reported }) => {
      await Promise.all([join("desk"), join("home")]);
      await join("colleague", { token: { identity: "desk" } });
      await reported("participant_left", "desk");
    },
  },
  {
    name: "the room is full",
    causes: ["join.refused"],
    happen: async ({ server, room, join, reported }) => {
      server.createRoom(room, { maxParticipants: 1 });
      await join("home");
      await join("desk");
      await reported("call_evidence", "desk", "failed");
    },
  },
  {
    name: "the page is loaded again",
    causes: ["reloaded"],
    happen: async ({ join, reported, rejoin }) => {
      const [{ person }] = await Promise.all([join("desk"), join("home")]);
      await reported("participant_joined", "desk");
      await person.reload();
      await rejoin(person, "desk");
      await reported("participant_left", "desk");
    },
  },
  {
    name: "the browser is killed",
    causes: ["break.unknown"],
    happen: async ({ join, joinAlone, reported }) => {
      const [{ person }] = await Promise.all([joinAlone("desk"), join("home")]);
      await reported("participant_joined", "desk");
      await person.killBrowser();
      await reported("participant_left", "desk");
    },
  },
  {
    name: "the browser may not use the camera",
    causes: ["device.camera"],
    happen: ({ talk }) =>
      talk(["desk", "home"], { silent: true, camera: true, kind: { devices: "refused" } }),
  },
  {
    name: "there is no microphone",
    causes: ["device.microphone"],
    happen: ({ talk }) => talk(["desk", "home"], { kind: { devices: "none" } }),
  },
  {
    name: "a telephone leaves its Wi-Fi",
    causes: ["break.network"],
    happen: async ({ network, join, reported }) => {
      await Promise.all([join("desk"), join("home")]);
      await reported("participant_joined", "desk");
      network.unplug("desk");
      await reported("participant_left", "desk");
    },
  },
  {
    name: "an office loses its line",
    causes: ["break.network"],
    happen: async ({ network, join, reported }) => {
      await Promise.all([join("desk"), join("colleague"), join("home")]);
      await reported("call_evidence", "desk", "connected");
      await reported("call_evidence", "colleague", "connected");
      network.unplug("desk");
      network.unplug("colleague");
      await reported("participant_left", "desk");
      await reported("participant_left", "colleague");
    },
  },
];

export const faults: readonly Fault[] = [...networks, ...servers, ...others];

/** The busy and the whole time of all processors, as the report reads them. */
function processorTimes(): { busy: number; all: number } {
  const [first = ""] = execFileSync("head", ["-n1", "/proc/stat"], { encoding: "utf8" }).split(
    "\n",
  );
  const times = first.split(/\s+/).slice(1, 9).map(Number);
  const all = times.reduce((sum, each) => sum + each, 0);
  const [, , , idle = 0, waiting = 0] = times;
  return { busy: all - idle - waiting, all };
}

type Times = ReturnType<typeof processorTimes>;
const busyShare = (before: Times, after: Times): number =>
  Math.round(((after.busy - before.busy) / (after.all - before.all)) * 100);
