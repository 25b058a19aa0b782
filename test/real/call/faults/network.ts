// A server, two desks of an office and a home, each in a network namespace of its own, and nothing that leads out of them.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { ran } from "../../media/world/commands.ts";
import { domain, turnName } from "../server-network.ts";

export const places = ["server", "desk", "colleague", "home"] as const;
export type Place = (typeof places)[number];
export type Client = Exclude<Place, "server">;

/** Of the ranges for documentation (RFC 5737): nobody's. The desks are in one /24. */
export const address = {
  ...{ server: "203.0.113.10", desk: "203.0.113.21", colleague: "203.0.113.22" },
  ...{ home: "198.51.100.21", nobody: "203.0.113.77" },
} as const;
const serverAtHome = "198.51.100.10";

/** Two runs can share a machine. */
const run = `${process.env.TEST_PORT_BASE ?? 24700}`;
export const spaceOf = (place: Place): string => `lkf${run}${place[0]}`;

/** What a command is begun with, so that it runs there. */
export const at = (place: Place): string[] => ["ip", "netns", "exec", spaceOf(place)];
export const inside = (place: Place, command: string, input?: string): string =>
  ran([...at(place), ...command.split(" ")], input);

/** A firewall, by rules of nftables: what comes in, what goes out, and which port of the server leads to another. */
type Firewall = { in?: readonly string[]; out?: readonly string[]; redirect?: readonly string[] };

/** The device of each place; of the server the one that leads to the office. */
const deviceOf = (place: Place) => (place === "server" ? "off0" : "up0");

export type Network = ReturnType<typeof makeNetwork>;

export function makeNetwork() {
  const remove = () => {
    const there = new Set(ran("ip netns list").split(/\s/));
    for (const place of places) {
      if (there.has(spaceOf(place))) ran(`ip netns del ${spaceOf(place)}`);
      rmSync(`/etc/netns/${spaceOf(place)}`, { recursive: true, force: true });
    }
  };
  remove();
  for (const place of places) {
    mkdirSync(`/etc/netns/${spaceOf(place)}`, { recursive: true });
    ran(`ip netns add ${spaceOf(place)}`);
    inside(place, "ip link set lo up");
    // An address that comes a second later would be a change of the network to a browser.
    inside(
      place,
      "sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1",
    );
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
    inside(place, `ip addr add ${address[place]}/24 dev up0`);
    inside(place, "ip link set up0 up");
  }
  cable("home", "hom0");
  inside("server", `ip addr add ${serverAtHome}/24 dev hom0`);
  inside("server", "ip link set hom0 up");
  inside("home", `ip addr add ${address.home}/24 dev up0`);
  inside("home", "ip link set up0 up");
  inside("home", `ip route add 203.0.113.0/24 via ${serverAtHome}`);

  function cable(place: Client, end: string): void {
    ran([
      ...["ip", "link", "add", "up0", "netns", spaceOf(place)],
      ...["type", "veth", "peer", "name", end, "netns", spaceOf("server")],
    ]);
  }

  /** Where the names lead, for whoever asks the system. A name without an address does not exist. */
  function resolve(names: Partial<Record<"domain" | "turn", string | null>>): void {
    const { domain: first = address.server, turn = address.server } = names;
    const lines = [
      [first, domain],
      [turn, turnName],
    ].flatMap(([where, name]) => (where ? [`${where} ${name}\n`] : []));
    for (const place of places) {
      const folder = `/etc/netns/${spaceOf(place)}`;
      writeFileSync(`${folder}/hosts`, `127.0.0.1 localhost\n${lines.join("")}`);
      // Nobody is asked.
      writeFileSync(`${folder}/resolv.conf`, "nameserver 127.0.0.1\n");
    }
  }

  return {
    resolve,
    firewall(place: Place, rules: Firewall): void {
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
    },
    /** Packets that leave by a device are lost, late or few (tc-netem); without a device by that of the place. */
    impair(place: Place, how: string, device = deviceOf(place)): void {
      inside(place, `tc qdisc replace dev ${device} root netem ${how}`);
    },
    unplug: (place: Client) => inside(place, "ip link set up0 down"),
    mtu(place: Client, bytes: number): void {
      inside(place, `ip link set up0 mtu ${bytes}`);
    },
    /** Everything as it was. */
    heal(): void {
      resolve({});
      for (const place of places) {
        if (inside(place, "nft list tables").includes("fault")) {
          inside(place, "nft delete table inet fault");
        }
        for (const device of place === "server" ? ["off0", "off1", "hom0"] : ["up0"]) {
          if (inside(place, `tc qdisc show dev ${device}`).includes("netem")) {
            inside(place, `tc qdisc del dev ${device} root`);
          }
        }
        if (place === "server") continue;
        inside(place, "ip link set up0 mtu 1500 up");
      }
      inside("home", `ip route replace 203.0.113.0/24 via ${serverAtHome}`);
    },
    [Symbol.dispose]: remove,
  };
}
