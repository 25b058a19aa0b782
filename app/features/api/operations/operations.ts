import { channelOperations } from "./channels";
import { comparisonOperation } from "./comparison";
import { deploymentOperations } from "./deployments";
import { incidentOperations } from "./incidents";
import type { Operation } from "./operation";
import { rolloutOperations } from "./rollouts";
import { maintenanceOperations, serverOperations } from "./servers";
import { sessionOperations } from "./sessions";
import { tokenOperations } from "./token";
import { versionOperations } from "./versions";

/** Every method at every address of the API. */
export const operations: readonly Operation[] = [
  ...tokenOperations,
  ...deploymentOperations,
  comparisonOperation,
  ...versionOperations,
  ...serverOperations,
  ...maintenanceOperations,
  ...rolloutOperations,
  ...incidentOperations,
  ...sessionOperations,
  ...channelOperations,
];
