import { withKnownBad } from "~/features/servers/ingest/archive.server";
import type { Approvers } from "~/features/servers/rollouts/approvers.server";
import { assertion as assertionForm, type Passkey } from "~/features/servers/rollouts/passkey";
import { readRegistration, registration } from "~/features/servers/rollouts/registration";
import type { RelyingParty } from "~/features/servers/rollouts/relying-party";
import type { Assertion, RolloutView, ServerRollouts } from "~/features/servers/rollouts/rollout";
import type {
  RefusedApproval,
  RolloutRefusal,
  RolloutRequest,
} from "~/features/servers/rollouts/rollout-request";
import type { FileInputs } from "~/features/servers/state/file-inputs";
import { fromBase64url } from "~/http/encodings";
import { fleetOf } from "./fleet-calls";
import { FleetsIncidents } from "./fleets-incidents";

/** The rollouts of fleets, for the site. */
export abstract class FleetsRollouts extends FleetsIncidents {
  async setApprovers(workspace: string, approvers: Approvers): Promise<void> {
    await fleetOf(this.env, workspace).setApprovers(approvers);
  }

  /** The passkey that a browser has just made for this challenge; undefined where anything of it is not right. */
  async readPasskey(
    sent: { clientData: string; authenticatorData: string },
    challenge: string,
    site: RelyingParty,
  ): Promise<Passkey | undefined> {
    const read = registration.safeParse(sent).data;
    return read && readRegistration(read, fromBase64url(challenge), site);
  }

  /** Asks for a version of a deployment on servers of it, one after the other. Nothing happens before it is approved. */
  async requestRollout(
    workspace: string,
    request: RolloutRequest,
  ): Promise<{ rollout: RolloutView } | { refused: RolloutRefusal }> {
    const inputs = withKnownBad(request.inputs);
    return fleetOf(this.env, workspace).requestRollout({ ...request, inputs });
  }

  /** The same without making any, before it is noted; undefined where one would be made. */
  async checkRollout(
    workspace: string,
    request: RolloutRequest,
  ): Promise<{ rollout: RolloutView } | { refused: RolloutRefusal } | undefined> {
    return fleetOf(this.env, workspace).checkRollout(request);
  }

  /** Why an approval would not count, before it is noted; undefined where it would. */
  async checkApproval(
    workspace: string,
    id: string,
    person: string,
    sent: Assertion,
  ): Promise<RefusedApproval | undefined> {
    const read = assertionForm.safeParse(sent).data;
    if (!read) return { refused: "not-signed" };
    return fleetOf(this.env, workspace).checkApproval(id, person, read);
  }

  async approveRollout(
    workspace: string,
    id: string,
    person: string,
    sent: Assertion,
  ): Promise<{ rollout: RolloutView } | RefusedApproval> {
    const read = assertionForm.safeParse(sent).data;
    if (!read) return { refused: "not-signed" };
    return fleetOf(this.env, workspace).approveRollout(id, person, read);
  }

  /** Whether a server's files of a version are those that it has today; undefined where that cannot be said. */
  async hasFilesOfToday(
    workspace: string,
    server: string,
    inputs: FileInputs,
  ): Promise<boolean | undefined> {
    return fleetOf(this.env, workspace).hasFilesOfToday(server, withKnownBad(inputs));
  }

  async abortRollout(workspace: string, id: string, by: string): Promise<boolean> {
    return fleetOf(this.env, workspace).abortRollout(id, by);
  }

  /** Undefined where the workspace has no such server. */
  async rollouts(workspace: string, server: string): Promise<ServerRollouts | undefined> {
    return fleetOf(this.env, workspace).rollouts(server);
  }
}
