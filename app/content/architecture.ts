/** What the pages claim, with the words that make each number mean something. */
export const claims = [
  {
    value: "99.99%",
    name: "uptime",
    meaning: "A target: at most 4 minutes and 20 seconds of downtime in 30 days.",
  },
  {
    value: "<100 ms",
    name: "latency",
    meaning: "Between a participant and an instance in the same part of the world.",
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
      "Any instance can answer a participant. Through Redis the instances know each other's load and which room lives where, and pass signalling on.",
  },
  {
    name: "Multi-home",
    description:
      "Instances stand in several regions and clouds at once, each with an address of its own. A participant signals through the nearest one; media goes straight to the instance that holds the room.",
  },
  {
    name: "No single point of failure",
    description:
      "Every instance can do the work of every other, and Redis runs with Sentinel or as a cluster. What stops is left out within seconds, and the rest carries on.",
  },
  {
    name: "Global distribution with sub-100ms latency",
    description:
      "Thirteen locations put an instance near your users, and region-aware selection opens a room where its first participant is.",
  },
  {
    name: "Automatic scaling",
    description:
      "Your cloud's scaling group boots another machine from the same cloud-init file. It reports to Redis and takes new rooms; on its way out it finishes those it holds.",
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
  "Its participants reconnect by themselves, and their room opens on another instance.",
  "Signalling takes any instance that answers: a health check on / keeps a dead one out of your DNS or load balancer.",
  "Redis fails over through Sentinel, or runs as a cluster.",
  "systemd brings the server back with the machine.",
  "Where a network blocks UDP, media takes TCP on port 7881, or TURN over TLS on port 443.",
] as const;

export const scaling = [
  "New rooms go to the instance with the lowest load; you choose whether that means CPU, rooms, participants, tracks or traffic.",
  "Above a load that you set, an instance gets no new rooms.",
  "A room lives on one instance: size the machine for your largest room, and add machines for more rooms.",
  "An instance that leaves takes no new rooms, finishes those it holds and then stops.",
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
