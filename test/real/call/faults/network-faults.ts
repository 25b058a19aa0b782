// What is wrong between people and the server.
import { namesByDoctor } from "./doctor.ts";
import { type Fault, office, only443, toOpened, udp } from "./fault.ts";
import { address, nowhere } from "./places.ts";
import { openedPort } from "./server.ts";

export const networkFaults: readonly Fault[] = [
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
      await server.openTls();
      network.firewall("server", {
        in: office(`tcp dport { 443, ${openedPort} } accept`, "drop"),
        redirect: office(toOpened),
      });
      await talk(["desk", "colleague", "home"]);
    },
  },
  {
    name: "a proxy lets no WebSocket through",
    causes: ["join.network"],
    happen: async ({ network, server, talk }) => {
      await server.openTls("no-websocket");
      network.firewall("server", { redirect: office(toOpened) });
      await talk();
    },
  },
  {
    name: "a filter on one device blocks the server's name",
    causes: ["join.device"],
    happen: async ({ network, server, talk }) => {
      await server.openTls("blocked", "media.example.com");
      network.firewall("server", { redirect: office(`ip saddr 203.0.113.21 ${toOpened}`) });
      await talk(["desk", "colleague", "home"]);
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
    name: "large packets are lost: an MTU of 800",
    causes: ["loss.network"],
    happen: ({ network, talk }) => {
      network.mtu("desk", 800);
      return talk(undefined, {}, { camera: true });
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
      network.lose("server", 8, "iifname off0");
      network.lose("desk", 8);
      return talk(undefined, { packets: 800 });
    },
  },
  {
    name: "20 % of the packets are lost in a whole office",
    causes: ["loss.network"],
    happen: ({ network, talk }) => {
      network.lose("server", 20, "iifname off0");
      network.lose("desk", 20);
      network.lose("colleague", 20);
      return talk(["desk", "colleague", "home"]);
    },
  },
  {
    name: "20 % of the packets are lost at one desk",
    causes: ["loss.device"],
    happen: ({ network, talk }) => {
      network.lose("server", 20, `ip saddr ${address.desk}`);
      network.lose("desk", 20);
      return talk(["desk", "colleague", "home"]);
    },
  },
  {
    name: "packets take 600 ms there and back",
    causes: ["slow.network"],
    happen: async ({ network, talk }) => {
      await network.slow("desk", ["server"], { delay: 600 });
      await talk();
    },
  },
  {
    name: "packets come unevenly",
    // None, and then up to 0.8 seconds: late is as right as uneven.
    causes: ["jitter.network", "slow.network"],
    happen: async ({ network, talk }) => {
      await network.slow("server", ["desk"], { delay: 420, jitter: 400 });
      await talk();
    },
  },
  {
    name: "the line is full: packets wait for half a second, and 10 % are lost",
    causes: ["full.network"],
    happen: async ({ network, talk }) => {
      await network.slow("desk", ["server"], { delay: 500 });
      network.lose("server", 10, "iifname off0");
      network.lose("desk", 10);
      await talk(undefined, { packets: 800 });
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
  {
    name: "IPv6 leads nowhere, and a network has nothing else",
    // Who has IPv4 too gets through, so nobody knows which they were.
    causes: ["absent.ipv6"],
    happen: async ({ network, join, check, found }) => {
      network.resolve({ six: nowhere });
      network.addIpv6("desk");
      const names = { domain: `[${nowhere}]`, turn: `[${nowhere}]` };
      await Promise.all([join("desk", { kind: { names } }), join("home"), check()]);
      found(namesByDoctor());
    },
  },
];
