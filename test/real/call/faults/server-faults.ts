// What is wrong with the server and with what it stands on.
import { execFileSync } from "node:child_process";
import { expect } from "vitest";
import { clockByDoctor, diskByDoctor } from "./doctor.ts";
import { type Fault, office, only443, toOpened } from "./fault.ts";
import { address } from "./places.ts";
import { openedPort } from "./server.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const serverFaults: readonly Fault[] = [
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
      network.lose("server", 10, "iifname != lo");
      network.lose("desk", 10);
      network.lose("home", 10);
      return talk();
    },
  },
  {
    name: "the server's own line is slow",
    causes: ["slow.server"],
    happen: async ({ network, talk }) => {
      await network.slow("server", ["desk", "home"], { delay: 600 });
      await talk();
    },
  },
  {
    name: "the certificate has ended",
    causes: ["absent.server"],
    happen: async ({ server, join, check }) => {
      await server.showCertificate(
        ["media.example.com", "turn.media.example.com"],
        Date.now() - dayMs,
      );
      await Promise.all([join("desk"), check()]);
    },
  },
  {
    name: "the certificate is for another name",
    causes: ["absent.server"],
    happen: async ({ server, join, check }) => {
      await server.showCertificate(["www.example.com"], Date.now() + 90 * dayMs);
      await Promise.all([join("desk"), check()]);
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
    name: "the name leads to Cloudflare's proxy, and only port 443 is open",
    causes: ["media.turn"],
    happen: async ({ network, server, talk }) => {
      await server.openTls();
      network.resolve({ domain: address.proxy, turn: address.proxy });
      network.firewall("server", {
        in: office(`tcp dport { 443, ${openedPort} } accept`, "drop"),
        redirect: [`ip daddr ${address.proxy} ${toOpened}`],
      });
      const kind = { names: { domain: address.proxy, turn: address.proxy } };
      await talk(undefined, { kind });
    },
  },
  {
    name: "the server's clock is two hours ahead",
    causes: ["token.clock"],
    // One program has no time of its own: to such a server a good token is one that ended an hour ago, and everybody else's
    // clock, which its doctor compares it with, is two hours behind.
    happen: async ({ talk, found }) => {
      await talk(["desk", "home"], { token: { seconds: -3_600, beginsIn: -7_200 } });
      found(clockByDoctor(Date.now() - 2 * hourMs));
    },
  },
  {
    name: "processors are busy with something else, as Egress is",
    causes: ["quality.processor"],
    happen: async ({ server, talk, figures }) => {
      await server.burn();
      const before = processorTimes();
      await talk();
      figures({ processor: busyShare(before, processorTimes()) });
    },
  },
  {
    name: "LiveKit is stopped in a call",
    // Its last webhooks may be lost with it.
    causes: ["said.SERVER_SHUTDOWN", "restart"],
    happen: async ({ server, join, reported, restarted }) => {
      await Promise.all([join("desk"), join("home")]);
      await reported("participant_joined", "desk");
      await server.stop();
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
      found(diskByDoctor(redis.disk));
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
      if (!(await redis.answers())) found([{ code: "service.down", subject: "redis" }]);
    },
  },
  {
    name: "LiveKit does not run",
    causes: ["join.server"],
    happen: async ({ server, talk }) => {
      await server.kill();
      await talk(["desk"]);
    },
  },
];

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
