import { withKnownBad } from "~/features/servers/ingest/archive.server";
import type { Approvers } from "~/features/servers/rollouts/approvers.server";
import type { Assertion, RolloutView, ServerRollouts } from "~/features/servers/rollouts/rollout";
import type {
  ApprovalRefusal,
  RolloutRefusal,
  RolloutRequest,
} from "~/features/servers/rollouts/rollouts.server";
import { fleetOf } from "./fleet-calls";
import { FleetsIncidents } from "./fleets-incidents";

/** The rollouts of fleets, for the site. */
export abstract class FleetsRollouts extends FleetsIncidents {
  async setApprovers(workspace: string, approvers: Approvers): Promise<void> {
    await fleetOf(this.env, workspace).setApprovers(approvers);
  }

  /** Asks for a version of a deployment on servers of it, one after the other. Nothing happens before it is approved. */
  async requestRollout(
    workspace: string,
    request: RolloutRequest,
  ): Promise<{ rollout: RolloutView } | { refused: RolloutRefusal }> {
    const inputs = withKnownBad(request.inputs);
    return fleetOf(this.env, workspace).requestRollout({ ...request, inputs });
  }

  async approveRollout(
    workspace: string,
    id: string,
    person: string,
    assertion: Assertion,
  ): Promise<{ rollout: RolloutView } | { refused: ApprovalRefusal }> {
    return fleetOf(this.env, workspace).approveRollout(id, person, assertion);
  }

  async abortRollout(workspace: string, id: string, by: string): Promise<boolean> {
    return fleetOf(this.env, workspace).abortRollout(id, by);
  }

  /** Undefined where the workspace has no such server. */
  async rollouts(workspace: string, server: string): Promise<ServerRollouts | undefined> {
    return fleetOf(this.env, workspace).rollouts(server);
  }
}
