/** What somebody plans: rooms of one kind that are open at the same time. */
export type Plan = {
  /** In each room. */
  people: number;
  /** How many of them send a picture. */
  cameras: number;
  /** How many pictures each of them receives at most. */
  seen: number;
  /** How many of them are unmuted at once. */
  unmuted: number;
  /** Of one picture as it is received, in kbit/s. */
  kbps: number;
  rooms: number;
  /** In which so many rooms are open, in a month. */
  hours: number;
};

/** What stands in the calculator at first, and what /pricing counts: meetings of ten. */
export const examplePlan: Plan = {
  people: 10,
  cameras: 10,
  seen: 9,
  unmuted: 2,
  kbps: 600,
  rooms: 5,
  hours: 100,
};

/** Packets out per second and vCPU that a server is planned for: 60 % of what LiveKit's own load test reached. */
export const packetsPerCore = 23_000;
/** An unmuted microphone, to each listener. */
const audioPackets = 50;
/** With headers. An assumption: LiveKit's load test has quieter sound. */
const audioBytes = 100;
/** The mean of LiveKit's load test. */
const videoBytes = 947;

/** The cores of the wizard's sizes, smallest first. At Google each has more. */
const sizes = [
  ["Small", 2],
  ["Medium", 4],
  ["Large", 8],
] as const;
const [largestSize, maxCores] = sizes[2];

/** Each participant takes two of 10,001 UDP ports. */
export const peoplePerMachine = 5_000;

/** In GB. */
const gibibyte = 1.073_741_824;

/** Where the prices of traffic come from. */
export const trafficPricesRead = "secondary sources of 2025 and 2026";

/** Price of outgoing traffic in US dollars: how many GB cost how much each, one step after the other. */
const prices = {
  aws: [
    [100, 0],
    [9_900, 0.09],
    [40_000, 0.085],
    [100_000, 0.07],
    [Number.POSITIVE_INFINITY, 0.05],
  ],
  azure: [
    [100, 0],
    [9_900, 0.087],
    [40_000, 0.083],
    [100_000, 0.07],
    [Number.POSITIVE_INFINITY, 0.05],
  ],
  google: [
    [1_000, 0.12],
    [9_000, 0.11],
    [Number.POSITIVE_INFINITY, 0.08],
  ],
  // The least that a droplet includes; a larger one has more.
  digitalocean: [
    [500 * gibibyte, 0],
    [Number.POSITIVE_INFINITY, 0.01 / gibibyte],
  ],
} as const;

export type TrafficProvider = keyof typeof prices;

export function isTrafficProvider(name: unknown): name is TrafficProvider {
  return typeof name === "string" && Object.hasOwn(prices, name);
}

/** The smallest size with so many cores. */
const sizeFor = (cores: number) => sizes.find(([, has]) => cores <= has)?.[0];

/**
 * What one room and all rooms of a plan send out, in packets a second, and what carries them: so many machines of a size.
 * Where one room fits on no size, both sizes are undefined.
 */
export function sizeOf({ people, cameras, seen, unmuted, kbps, rooms, hours }: Plan) {
  const sending = Math.min(cameras, people);
  const pictures =
    (people - sending) * Math.min(seen, sending) + sending * Math.min(seen, sending - 1);
  const voices = Math.min(unmuted, people) * (people - 1);
  const videoBytesPerSecond = (pictures * kbps * 1_000) / 8;
  const roomPackets = voices * audioPackets + videoBytesPerSecond / videoBytes;
  const bytesPerSecond = rooms * (voices * audioPackets * audioBytes + videoBytesPerSecond);
  const roomCores = roomPackets / packetsPerCore;
  const cores = roomCores * rooms;
  const roomSize = people > peoplePerMachine ? undefined : sizeFor(roomCores);
  // Of the largest size, each with whole rooms, without a spare.
  const roomsOnMachine = Math.floor(Math.min(maxCores / roomCores, peoplePerMachine / people));
  const machines = Math.ceil(rooms / roomsOnMachine);
  const hour = (bytesPerSecond * 3_600) / 1e9;
  return {
    roomPackets,
    roomCores,
    roomSize,
    packets: roomPackets * rooms,
    cores,
    machines,
    size: roomSize && ((machines === 1 && sizeFor(cores)) || largestSize),
    megabits: bytesPerSecond / 125_000,
    /** GB an hour, and a month. */
    hour,
    month: hour * hours,
  };
}

/** What so much outgoing traffic costs in a month, in US dollars. */
export function trafficCost(provider: TrafficProvider, gigabytes: number): number {
  let left = gigabytes;
  let cost = 0;
  for (const [upTo, price] of prices[provider]) {
    const part = Math.min(left, upTo);
    cost += part * price;
    left -= part;
  }
  return cost;
}
