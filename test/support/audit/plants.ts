import { livekitPlants } from "./plants/livekit.ts";
import { machinePlants } from "./plants/machine.ts";
import { networkPlants } from "./plants/network.ts";
import type { Plant } from "./plants/plant.ts";
import { proxiesPlants } from "./plants/proxies.ts";
import { redisPlants } from "./plants/redis.ts";
import { servicesPlants } from "./plants/services.ts";
import { turnPlants } from "./plants/turn.ts";

/** What comes with a fault: each version that lacks a key of today has a known fault too. */
export const companions: Readonly<Record<string, readonly string[]>> = {
  "livekit.key.newer": ["image.attackable"],
};

/** For each rule one or more ways to break it. */
export const plants: Readonly<Record<string, readonly Plant[]>> = {
  ...networkPlants,
  ...turnPlants,
  ...redisPlants,
  ...servicesPlants,
  ...machinePlants,
  ...proxiesPlants,
  ...livekitPlants,
};
