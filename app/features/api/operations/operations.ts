import { channelOperations } from "./channels";
import { comparisonOperation } from "./comparison";
import { deploymentOperations } from "./deployments";
import { incidentOperations } from "./incidents";
import { metricsOperations } from "./metrics";
import type { Operation } from "./operation";
import { rolloutOperations } from "./rollouts";
import { maintenanceOperations, serverOperations } from "./servers";
import { sessionOperations } from "./sessions";
import { tokenOperations } from "./token";
import { versionOperations } from "./versions";
import { webhookOperations } from "./webhooks";

/** Every method at every address of the API. */
export const operations: readonly Operation[] = [
  ...tokenOperations,
  ...deploymentOperations,
  comparisonOperation,
  ...versionOperations,
  ...serverOperations,
  ...metricsOperations,
  ...maintenanceOperations,
  ...rolloutOperations,
  ...incidentOperations,
  ...sessionOperations,
  ...channelOperations,
  ...webhookOperations,
];
