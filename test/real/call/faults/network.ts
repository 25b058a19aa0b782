// The places and the cables between them, what a fault does to them, and nothing that leads out of them.
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { ran } from "../../media/world/commands.ts";
import { type Cleanup, removesSpaces } from "../cleanup.ts";
import { domain, turnName } from "../server-network.ts";
import {
  address,
  type Client,
  clients,
  inside,
  type Place,
  places,
  serverAtHome,
  spaceOf,
} from "./places.ts";
import { type Program, startProgram } from "./programs.ts";

/** A firewall, by rules of nftables: what comes in, what goes out, and which port of the server leads to another. */
type Firewall = { in?: readonly string[]; out?: readonly string[]; redirect?: readonly string[] };

/** What does not lie in the network of a place, and which way it is. */
const routes: Readonly<Record<Client, readonly string[]>> = {
  desk: [`${address.proxy} via ${address.server}`],
  colleague: [`${address.proxy} via ${address.server}`],
  home: [`203.0.113.0/24 via ${serverAtHome}`, `${address.proxy} via ${serverAtHome}`],
};

const slowLine = resolvePath("test/real/call/faults/slow-line.py");

/** Where a line leads, and by which device. */
const wayFrom = (from: Place, to: Place) =>
  [address[to], from === "server" ? (to === "home" ? "hom0" : "off0") : "up0"] as const;

/** In milliseconds. */
type Line = { delay: number; jitter?: number };

export type Network = ReturnType<typeof makeNetwork>;

export function makeNetwork(cleanup: Cleanup) {
  removesSpaces(cleanup, places.map(spaceOf));
  for (const place of places) {
    mkdirSync(`/etc/netns/${spaceOf(place)}`, { recursive: true });
    ran(`ip netns add ${spaceOf(place)}`);
    inside(place, "ip link set lo up");
    // An address that comes a second later would be a change of the network to a browser.
    inside(
      place,
      "sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1",
    );
    // Packets may leave by another device than they come by: slow-line.py.
    inside(place, "sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0");
  }
  resolve({});
  inside("server", "ip link add off0 type bridge");
  inside("server", `ip addr add ${address.server}/24 dev off0`);
  inside("server", "ip link set off0 up");
  for (const [place, end] of [
    ["desk", "off1"],
    ["colleague", "off2"],
  ] as const) {
    cable(place, end);
    inside("server", `ip link set ${end} master off0`);
    inside("server", `ip link set ${end} up`);
  }
  cable("home", "hom0");
  inside("server", `ip addr add ${serverAtHome}/24 dev hom0`);
  inside("server", "ip link set hom0 up");
  // A proxy of Cloudflare's, which is one of the server's programs here.
  inside("server", `ip addr add ${address.proxy}/32 dev lo`);
  for (const place of clients) {
    inside(place, `ip addr add ${address[place]}/24 dev up0`);
    inside(place, "ip link set up0 up");
    setRoutes(place);
  }

  function cable(place: Client, end: string): void {
    ran([
      ...["ip", "link", "add", "up0", "netns", spaceOf(place)],
      ...["type", "veth", "peer", "name", end, "netns", spaceOf("server")],
    ]);
  }

  /** They go with the device. */
  function setRoutes(place: Client): void {
    for (const route of routes[place]) inside(place, `ip route replace ${route}`);
  }

  /** Where the names lead, for whoever asks the system. A name without an address does not exist. */
  function resolve(names: Partial<Record<"domain" | "turn" | "six", string | null>>): void {
    const { domain: first = address.server, turn = address.server, six } = names;
    const lines = [
      [first, domain],
      [turn, turnName],
      [six, `${domain} ${turnName}`],
    ].flatMap(([where, name]) => (where ? [`${where} ${name}\n`] : []));
    for (const place of places) {
      const folder = `/etc/netns/${spaceOf(place)}`;
      writeFileSync(`${folder}/hosts`, `127.0.0.1 localhost\n${lines.join("")}`);
      // Nobody is asked.
      writeFileSync(`${folder}/resolv.conf`, "nameserver 127.0.0.1\n");
    }
  }

  function firewall(place: Place, rules: Firewall): void {
    const chain = (name: string, type: string, hook: string, lines: readonly string[] = []) =>
      `chain ${name} { type ${type} hook ${hook}; policy accept;\n${lines.join("\n")}\n}\n`;
    inside(
      place,
      "nft -f -",
      `table inet fault {
        ${chain("arriving", "filter", "input priority 0", rules.in)}
        ${chain("leaving", "filter", "output priority 0", rules.out)}
        ${chain("redirected", "nat", "prerouting priority -100", rules.redirect)}
        }\n`,
    );
  }

  /** What a fault has started. */
  const programs: Program[] = [];
  async function start(...given: Parameters<typeof startProgram>): Promise<Program> {
    const program = await startProgram(...given);
    programs.push(program);
    return program;
  }

  return {
    ...{ resolve, firewall, start },
    /** What a place sends to others is late. */
    slow(from: Place, to: readonly Place[], line: Line): Promise<Program> {
      const figures = [line.delay, line.jitter ?? 0].map(String);
      const ways = to.flatMap((each) => wayFrom(from, each));
      return start(from, ["python3", slowLine, ...figures, ...ways], "ready");
    },
    /** Of 100 packets that come to a place so many are lost; `which` says which of them, as nftables has it. */
    lose(place: Place, percent: number, which = ""): void {
      firewall(place, { in: [`${which} numgen random mod 100 < ${percent} drop`] });
    },
    unplug: (place: Client) => inside(place, "ip link set up0 down"),
    mtu(place: Client, bytes: number): void {
      inside(place, `ip link set up0 mtu ${bytes}`);
    },
    /** The place has IPv6, by which nobody is there. */
    addIpv6(place: Client): void {
      inside(place, "sysctl -qw net.ipv6.conf.up0.disable_ipv6=0");
      inside(place, "ip addr add 2001:db8:1::21/64 dev up0 nodad");
      inside(place, "ip route add default dev up0");
    },
    /** Everything as it was. */
    async heal(): Promise<void> {
      await Promise.all(programs.splice(0).map((each) => each.kill()));
      resolve({});
      for (const place of places) {
        if (inside(place, "nft list tables").includes("fault")) {
          inside(place, "nft delete table inet fault");
        }
      }
      for (const place of clients) {
        // A device of fewer than 1,280 bytes has no IPv6, not even one that is off.
        inside(place, "ip link set up0 mtu 1500 up");
        inside(place, "sysctl -qw net.ipv6.conf.up0.disable_ipv6=1");
        setRoutes(place);
      }
    },
  };
}
