import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ran } from "./commands.ts";

/** Namespaces have names of their own, so that two runs can share a machine. */
const prefix = `lkm${process.env.TEST_PORT_BASE ?? 24700}`;
export type MachinePlace = "machine" | `media${number}`;
type Place = "outside" | "gateway" | "client" | MachinePlace;
const ofOne: readonly Place[] = ["outside", "gateway", "machine", "client"];
/** More are in no proof. */
const mediaPlaces = ([1, 2, 3, 4] as const).map((number): MachinePlace => `media${number}`);

/** Ranges for documentation: none of them is anybody's. */
export const address = {
  machine: { private: "10.20.0.5", public: "203.0.113.10", six: "2001:db8:1::5" },
  outside: { four: "203.0.113.1", six: "2001:db8::1" },
  client: { four: "198.51.100.20", six: "2001:db8:2::20" },
  /** The private network of the machines of a cluster, and the edge in it, which is the machine. */
  cluster: { network: "10.30.0.0/24", edge: "10.30.0.2" },
} as const;

/** The two addresses of a media machine of a cluster. */
export function addressOf(number: number) {
  return { private: `10.30.0.${10 + number}`, public: `203.0.113.${10 + number}` };
}

/** What a firewall between client and machine lets through; "443-only" is the strictest that people work behind. */
const ways = {
  all: ["accept"],
  "tcp-only": ["meta l4proto tcp accept", "drop"],
  "443-only": ["tcp dport 443 accept", "drop"],
  "443-and-turn-udp": ["tcp dport 443 accept", "udp dport 3478 accept", "drop"],
  "443-tcp-and-udp": ["tcp dport 443 accept", "udp dport 443 accept", "drop"],
  "four-only": ["meta nfproto ipv4 accept", "drop"],
  "six-only": ["meta nfproto ipv6 accept", "drop"],
  "six-443-only": ["meta nfproto ipv6 tcp dport 443 accept", "drop"],
} as const;
export type Way = keyof typeof ways;

export interface NetworkOptions {
  /** Whether the machine has a private address behind a 1:1 NAT; else the public one lies on its own interface. */
  nat: boolean;
  /** Whether the machine reaches itself by its public address. */
  hairpin: boolean;
  /** Whether anybody has IPv4, and IPv6. */
  four: boolean;
  six: boolean;
  /** Whether anybody outside answers STUN. Otherwise who asks hears nothing. */
  stun: boolean;
  /** How many media machines stand beside the machine, with a private network that joins all of them. */
  media: number;
}

/**
 * Four network namespaces and nothing that leads out of them: a client, what is outside, a gateway, mostly with 1:1 NAT
 * as clouds have it, and behind it the machine. Media machines of a cluster have namespaces behind the gateway too.
 */
export function makeNetwork({ nat, hairpin, four, six, stun, media }: NetworkOptions) {
  remove();
  const others = mediaPlaces.slice(0, media);
  const places = [...ofOne, ...others];
  for (const place of places) {
    mkdirSync(`/etc/netns/${nameOf(place)}`, { recursive: true });
    writeFileSync(
      `/etc/netns/${nameOf(place)}/resolv.conf`,
      `nameserver ${four ? address.outside.four : address.outside.six}\n`,
    );
    ran(`ip netns add ${nameOf(place)}`);
    inside(place, "ip link set lo up");
    inside(place, "sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1");
    inside(place, "sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0");
  }
  cable("client", "wan0", "outside", "client0");
  cable("outside", "machine0", "gateway", "wan0");
  cable("gateway", "lan0", "machine", "eth0");
  if (four) {
    give("client", "wan0", `${address.client.four}/24`);
    give("outside", "client0", "198.51.100.1/24");
    give("outside", "machine0", `${address.outside.four}/24`);
    give("gateway", "wan0", "203.0.113.2/24");
    give("gateway", "lan0", "10.20.0.1/24");
    if (nat) {
      give("gateway", "wan0", `${address.machine.public}/32`);
      give("machine", "eth0", `${address.machine.private}/24`);
    } else {
      give("machine", "eth0", `${address.machine.public}/32`);
      inside("outside", `ip route add ${address.machine.public} via 203.0.113.2`);
      inside("gateway", `ip route add ${address.machine.public} dev lan0`);
    }
    inside("client", "ip route add default via 198.51.100.1");
    inside("gateway", `ip route add default via ${address.outside.four}`);
    inside("machine", "ip route add default via 10.20.0.1 dev eth0 onlink");
  }
  // Who answers for the provider is no part of the internet, and there without any address of the machine.
  give("gateway", "lan0", "169.254.169.254/32");
  if (six) {
    give("client", "wan0", `${address.client.six}/64`);
    give("outside", "client0", "2001:db8:2::1/64");
    give("outside", "machine0", `${address.outside.six}/64`);
    give("gateway", "wan0", "2001:db8::2/64");
    give("gateway", "lan0", "2001:db8:1::1/64");
    give("machine", "eth0", `${address.machine.six}/64`);
    inside("client", "ip route add default via 2001:db8:2::1");
    inside("outside", "ip route add 2001:db8:1::/64 via 2001:db8::2");
    inside("gateway", `ip route add default via ${address.outside.six}`);
    inside("machine", "ip route add default via 2001:db8:1::1");
  }
  if (others.length > 0) joinCluster(others);
  if (nat) rules("gateway", natRules(hairpin));
  rules("outside", stunRules(stun));

  return {
    /** What has to be put before a command so that it runs at that place. */
    at: (place: Place) => ["ip", "netns", "exec", nameOf(place)],
    letThrough: (way: Way) => rules("outside", firewallRules(way)),
    /** Takes a media machine off both its networks, as if its power were gone, or puts it back on. */
    plug: (place: MachinePlace, state: "up" | "down") => {
      for (const device of [`${place}-lan`, `${place}-private`])
        inside("gateway", `ip link set ${device} ${state}`);
    },
    /** How often the machine has asked anybody for its address by STUN. Without an answer nobody refuses either. */
    stunAsked: () =>
      Number(/packets (\d+)/.exec(inside("outside", "nft list counter inet stun asked"))?.[1]),
    [Symbol.dispose]: remove,
  };
}

/** Media machines with an address of their own on the internet, and the private network of the cluster. */
function joinCluster(others: readonly MachinePlace[]): void {
  inside("gateway", "ip link add private0 type bridge");
  inside("gateway", "ip link set private0 up");
  for (const [index, place] of others.entries()) {
    const { private: privateAddress, public: publicAddress } = addressOf(index + 1);
    cable("gateway", `${place}-lan`, place, "eth0");
    give("gateway", `${place}-lan`, "10.20.0.1/32");
    give("gateway", `${place}-lan`, "169.254.169.254/32");
    give(place, "eth0", `${publicAddress}/32`);
    inside("outside", `ip route add ${publicAddress} via 203.0.113.2`);
    inside("gateway", `ip route add ${publicAddress} dev ${place}-lan`);
    inside(place, "ip route add default via 10.20.0.1 dev eth0 onlink");
    joinPrivateNetwork(place, privateAddress);
  }
  joinPrivateNetwork("machine", address.cluster.edge);
}

function joinPrivateNetwork(place: MachinePlace, privateAddress: string): void {
  cable("gateway", `${place}-private`, place, "eth1");
  inside("gateway", `ip link set ${place}-private master private0`);
  give(place, "eth1", `${privateAddress}/24`);
}

const nameOf = (place: Place) => `${prefix}-${place}`;

function inside(place: Place, command: string, input?: string): string {
  return ran(["ip", "netns", "exec", nameOf(place), ...command.split(" ")], input);
}

function rules(place: Place, text: string): void {
  inside(place, "nft -f -", text);
}

function cable(one: Place, oneEnd: string, other: Place, otherEnd: string): void {
  ran(
    `ip link add ${oneEnd} netns ${nameOf(one)} type veth peer name ${otherEnd} netns ${nameOf(other)}`,
  );
  inside(one, `ip link set ${oneEnd} up`);
  inside(other, `ip link set ${otherEnd} up`);
}

function give(place: Place, device: string, range: string): void {
  inside(place, `ip address add ${range} dev ${device}${range.includes(":") ? " nodad" : ""}`);
}

/** The private and the public address are each other's. A cloud without hairpin drops what comes back to itself. */
function natRules(hairpin: boolean): string {
  const { private: privateAddress, public: publicAddress } = address.machine;
  return `table ip nat {
  chain before {
    type nat hook prerouting priority dstnat;
    ip daddr ${publicAddress} dnat to ${privateAddress}
  }
  chain after {
    type nat hook postrouting priority srcnat;
    ip saddr ${privateAddress} snat to ${publicAddress}
  }
}
table ip lan {
  chain before {
    type filter hook prerouting priority raw;
    ${hairpin ? "" : `iifname lan0 ip daddr ${publicAddress} drop`}
  }
}
`;
}

function stunRules(answered: boolean): string {
  return `table inet stun {
  counter asked {
  }
  chain input {
    type filter hook input priority filter;
    udp dport { 3478, 19302 } counter name asked ${answered ? "accept" : "drop"}
  }
}
`;
}

function firewallRules(way: Way): string {
  return `table inet way
delete table inet way
table inet way {
  chain forward {
    type filter hook forward priority filter;
    iifname machine0 ct state established,related accept
    iifname machine0 oifname client0 ${way === "all" ? "accept" : "drop"}
${ways[way].map((rule) => `    iifname client0 ${rule}\n`).join("")}  }
}
`;
}

/** Ends what still runs in the namespaces of an earlier run, or of this one, and removes them. */
function remove(): void {
  const existing = ran("ip netns list");
  for (const place of [...ofOne, ...mediaPlaces]) {
    const name = nameOf(place);
    if (existing.split(/\s/).includes(name)) {
      for (const pid of ran(`ip netns pids ${name}`).split("\n").filter(Boolean)) end(Number(pid));
      ran(`ip netns delete ${name}`);
    }
    rmSync(join("/etc/netns", name), { recursive: true, force: true });
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself meanwhile.
  }
}
