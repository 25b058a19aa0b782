/** What a plan makes today, beside what several servers can do. */
export const today = {
  title: "What you get today",
  says: "A deployment is one server: its files make one virtual machine. This page shows how several LiveKit servers work together. To run several, you connect them yourself: one Redis that all of them reach, the same API keys on each, and a load balancer in front.",
  link: { to: "/docs/best-practices#growing", label: "When one machine is not enough" },
} as const;

/** What the pages claim, with the words that make each number mean something. */
export const claims = [
  {
    value: "99.99%",
    name: "uptime",
    meaning:
      "A target for several instances: at most 4 minutes and 20 seconds of downtime in 30 days.",
  },
  {
    value: "<100 ms",
    name: "latency",
    meaning: "A target: between a participant and an instance in the same part of the world.",
  },
  { value: "13", name: "locations", meaning: "On six continents, in the clouds that you know." },
] as const;

export const architectureFeatures = [
  {
    name: "Built on the open-source SFU",
    description:
      "LiveKit server, under the Apache 2.0 licence. It forwards each stream to those who watch it and mixes nothing, so one machine carries many rooms. You can read every line of it.",
  },
  {
    name: "Distributed mesh",
    description:
      "Any instance can answer a participant. Through Redis the instances know each other's load and which room lives where, and pass signalling on. The mesh of LiveKit Cloud, which spreads one room over several servers, is not in the open-source server.",
  },
  {
    name: "Multi-home",
    description:
      "Instances stand in several regions and clouds at once, each with an address of its own. A participant signals through the nearest one; media goes straight to the instance that holds the room. In LiveKit Cloud the word means a room on several servers; here a room lives on one.",
  },
  {
    name: "No single point of failure",
    description:
      "Every instance can do the work of every other. This holds once Redis runs with Sentinel or as a cluster: one Redis alone is such a point. A room stops with its instance, and opens on another when its participants are back, 3 to 15 seconds later.",
  },
  {
    name: "Global distribution with sub-100ms latency",
    description:
      "Thirteen locations put an instance near your users, and region-aware selection opens a room near the instance that its first participant reached.",
  },
  {
    name: "Automatic scaling",
    description:
      "Your cloud's scaling group boots another machine, which reports to Redis and takes new rooms. On its way out it finishes those it holds, where the cloud waits for it: AWS and Kubernetes do.",
  },
] as const;

export type Instance = {
  name: string;
  location: string;
  rooms: readonly { name: string; participants: number }[];
};

/** The example in the diagram. */
export const instances = [
  { name: "sfu-1", location: "US East", rooms: [{ name: "lesson", participants: 4 }] },
  {
    name: "sfu-2",
    location: "Germany",
    rooms: [
      { name: "clinic", participants: 2 },
      { name: "board", participants: 2 },
    ],
  },
  { name: "sfu-3", location: "Singapore", rooms: [{ name: "stage", participants: 5 }] },
] as const satisfies readonly Instance[];

/** One of the five on stage is far from it: they signal through the instance near them. */
export const traveller = { near: "sfu-2", room: "stage", heldBy: "sfu-3" } as const;

export const diagram = {
  title: "Three SFU instances that share one Redis",
  description:
    "sfu-1 in US East holds the room lesson with four participants. sfu-2 in Germany holds the rooms clinic and board with two participants each. sfu-3 in Singapore holds the room stage with five. One participant of stage is near Germany: their signalling goes to sfu-2, which passes it on through Redis to sfu-3, and their media goes to sfu-3.",
} as const;

export const failover = [
  "An instance that is silent for five seconds gets no new rooms.",
  "Its participants reconnect by themselves after 3 to 15 seconds, and their room opens on another instance. After a forced stop they do not: their app must join again.",
  "Signalling takes any instance that answers: a health check on / keeps a dead one out of your load balancer. It fails on every instance while Redis is away, and still says OK while an instance finishes its rooms.",
  "Redis fails over through Sentinel, or runs as a cluster.",
  "systemd brings the server back with the machine.",
  "Where a network blocks UDP, media takes TCP on port 7881, or TURN over TLS on port 443.",
] as const;

export const scaling = [
  "New rooms go to any instance, or to one with a low load; you choose whether that means CPU, rooms, participants, tracks or traffic.",
  "Above a load that you set, an instance gets no new rooms while another is below it. When all are above, rooms still open: a load limit refuses none.",
  "A room lives on one instance: size the machine for your largest room, and add machines for more rooms.",
  "An instance that leaves takes no new rooms, finishes those it holds and then stops. Google Cloud, Azure and Digital Ocean wait minutes at most: there, drain a machine before you take it out of its group.",
  "Recording scales apart: Egress runs on machines of its own, of at least four cores for one composed recording.",
  "Prometheus metrics tell your cloud when to add a machine.",
] as const;

export type Region = {
  name: string;
  city: string;
  latitude: number;
  longitude: number;
  /** On which side of its mark the map names it, so that names do not touch. */
  label: "left" | "right" | "above" | "below";
};

export const continents: readonly { name: string; regions: readonly Region[] }[] = [
  {
    name: "North America",
    regions: [
      { name: "US East", city: "Virginia", latitude: 38.9, longitude: -77.4, label: "right" },
      { name: "US Central", city: "Iowa", latitude: 41.3, longitude: -95.9, label: "above" },
      { name: "US West", city: "Oregon", latitude: 45.6, longitude: -121.2, label: "left" },
    ],
  },
  {
    name: "South America",
    regions: [
      { name: "Brazil", city: "São Paulo", latitude: -23.5, longitude: -46.6, label: "right" },
    ],
  },
  {
    name: "Europe",
    regions: [
      { name: "France", city: "Paris", latitude: 48.9, longitude: 2.4, label: "below" },
      { name: "Germany", city: "Frankfurt", latitude: 50.1, longitude: 8.7, label: "right" },
      { name: "UK", city: "London", latitude: 51.5, longitude: -0.1, label: "left" },
    ],
  },
  {
    name: "Asia",
    regions: [
      { name: "Japan", city: "Tokyo", latitude: 35.7, longitude: 139.7, label: "right" },
      { name: "Singapore", city: "Singapore", latitude: 1.4, longitude: 103.8, label: "below" },
      { name: "India", city: "Mumbai", latitude: 19.1, longitude: 72.9, label: "below" },
    ],
  },
  {
    name: "Oceania",
    regions: [
      { name: "Australia", city: "Sydney", latitude: -33.9, longitude: 151.2, label: "right" },
    ],
  },
  {
    name: "Middle East",
    regions: [{ name: "UAE", city: "Dubai", latitude: 25.2, longitude: 55.3, label: "left" }],
  },
  {
    name: "Africa",
    regions: [
      {
        name: "South Africa",
        city: "Johannesburg",
        latitude: -26.2,
        longitude: 28,
        label: "right",
      },
    ],
  },
];
