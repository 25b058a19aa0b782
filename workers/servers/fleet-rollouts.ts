import type { Key } from "~/features/servers/ingest/credentials.server";
import type { ApprovalLines } from "~/features/servers/ingest/rollout-endpoints.server";
import { zoneIn } from "~/features/servers/notifications/times/alert-times.server";
import {
  type Approvers,
  approversIn,
  removedIn,
  saveApprovers,
} from "~/features/servers/rollouts/approvers.server";
import { reportedVersion } from "~/features/servers/rollouts/manifest";
import {
  type Assertion,
  type MachineStep,
  type RolloutView,
  rolloutView,
  type ServerRollouts,
} from "~/features/servers/rollouts/rollout";
import type {
  RefusedApproval,
  RolloutRefusal,
  RolloutRequest,
} from "~/features/servers/rollouts/rollout-request";
import type { FileInputs } from "~/features/servers/state/file-inputs";
import type { Report, ServerRecord } from "~/features/servers/state/server-record";
import { FleetIncidents } from "./fleet-incidents";

/** The rollouts of a fleet, and whose passkeys approve them. */
export abstract class FleetRollouts extends FleetIncidents {
  /** Whose passkeys approve rollouts, for machines that enrol from now on, and for people who compare fingerprints. */
  setApprovers(approvers: Approvers): void {
    if (this.parts.hasTables && !this.parts.trial.isOn) saveApprovers(this.sql, approvers);
  }

  async requestRollout(
    request: RolloutRequest,
  ): Promise<{ rollout: RolloutView } | { refused: RolloutRefusal }> {
    if (!this.parts.hasTables || this.parts.trial.isOn) return { refused: "no-server" };
    const made = this.parts.rollouts.request(request);
    await this.parts.alarms.arm();
    return "rollout" in made ? { rollout: rolloutView(made.rollout) } : made;
  }

  /** As `requestRollout` would answer, and nothing is made; undefined where it would make one. */
  checkRollout(
    request: RolloutRequest,
  ): { rollout: RolloutView } | { refused: RolloutRefusal } | undefined {
    if (!this.parts.hasTables || this.parts.trial.isOn) return { refused: "no-server" };
    const found = this.parts.rollouts.check(request);
    return found && "rollout" in found ? { rollout: rolloutView(found.rollout) } : found;
  }

  async checkApproval(
    id: string,
    person: string,
    assertion: Assertion,
  ): Promise<RefusedApproval | undefined> {
    if (!this.parts.hasTables) return { refused: "no-rollout" };
    return this.parts.rollouts.checkApproval(id, person, assertion);
  }

  async approveRollout(
    id: string,
    person: string,
    assertion: Assertion,
  ): Promise<{ rollout: RolloutView } | RefusedApproval> {
    if (!this.parts.hasTables) return { refused: "no-rollout" };
    const made = await this.parts.rollouts.approve(id, person, assertion);
    return "rollout" in made ? { rollout: rolloutView(made.rollout) } : made;
  }

  /** Whether it was not too late, or was not there. */
  abortRollout(id: string, by: string): boolean {
    return this.parts.hasTables && this.parts.rollouts.abort(id, by) !== undefined;
  }

  /** Undefined where the workspace has no such server. */
  rollouts(server: string): ServerRollouts | undefined {
    const record = this.parts.record(server);
    return record && this.rolloutsOf(record);
  }

  /**
   * Whether a server's files of a version are those that it has today; undefined where that cannot be said, because they
   * were changed there.
   */
  hasFilesOfToday(server: string, inputs: FileInputs): boolean | undefined {
    const { version, madeFrom } = this.parts.record(server)?.report ?? {};
    if (!madeFrom || madeFrom.isChanged || madeFrom.version !== inputs.version) return;
    const made = reportedVersion(inputs, madeFrom.deployment);
    return made === undefined ? undefined : made === version;
  }

  /** What a machine says of its rollout, by its key; undefined where it is none of its. */
  rolloutStep(
    key: Key,
    id: string,
    said: { step: MachineStep; reason?: string | undefined },
  ): { isAborting: boolean } | undefined {
    const record = this.#reporting(key);
    return record && this.parts.rollouts.step(record.id, id, said);
  }

  rolloutZip(key: Key, id: string): Uint8Array | undefined {
    const record = this.#reporting(key);
    return record && this.parts.rollouts.zip(record.id, id);
  }

  /** For the command on a machine that compares them. */
  approversFor(key: Key): Approvers | undefined {
    return this.#reporting(key) && approversIn(this.sql);
  }

  #reporting(key: Key): ServerRecord | undefined {
    const record = this.parts.recordOf(key);
    return record && record.retiredAt === undefined ? record : undefined;
  }

  protected rolloutsOf({ id, deployment, report }: ServerRecord): ServerRollouts {
    const { rollouts } = this.parts;
    return {
      list: rollouts.list(id).map(rolloutView),
      approvals: report?.approvals,
      windows: report?.approvals?.knowsWindows && {
        ...{ zone: zoneIn(this.sql), last: rollouts.windowOf(deployment) },
      },
    };
  }

  protected approvalLines(server: string, { approvals }: Report): ApprovalLines {
    if (!approvals) return {};
    const order = this.parts.rollouts.orderFor(server);
    const removed = new Set(removedIn(this.sql));
    const removedApprovers = approvals.known.filter((each) => removed.has(each));
    return {
      ...(order
        ? {
            rollout: {
              ...{ id: order.id, manifest: order.manifest ?? "" },
              assertions: order.approvals.map(({ assertion }) => assertion),
            },
          }
        : {}),
      ...(removedApprovers.length > 0 ? { removedApprovers } : {}),
    };
  }
}
