import type { Key } from "~/features/servers/ingest/credentials.server";
import {
  archiveInputsOf,
  type Enrolment,
  type EnrolRefusal,
  enrol,
  type Leaving,
} from "~/features/servers/ingest/enrolment.server";
import type { ApprovalLines } from "~/features/servers/ingest/rollout-endpoints.server";
import { saveSample } from "~/features/servers/metrics/metrics-table.server";
import { type Approvers, approversIn } from "~/features/servers/rollouts/approvers.server";
import { withoutRestarts } from "~/features/servers/state/restart";
import {
  clusterIdOf,
  type Report,
  type Restart,
  type ServerRecord,
  watchedOf,
} from "~/features/servers/state/server-record";
import { saveRecord } from "~/features/servers/state/server-table.server";
import { FleetRollouts } from "./fleet-rollouts";

export type ReportAnswer =
  | ({ outcome: "taken"; restarts: readonly Restart[] } & ApprovalLines)
  | { outcome: "unknown-key" | "key-revoked" | "another-machine" | "machine-refused" }
  | { outcome: "too-often" | "paused"; waitMs: number };

/**
 * Whether a machine may leave its cluster without a message: another one of its role still reports. Of the edge and of the last
 * one of a role people hear, because whoever has stolen a key would say the same.
 */
function leavesOthers(record: ServerRecord, records: readonly ServerRecord[]): boolean {
  const cluster = clusterIdOf(record);
  const role = record.report?.role;
  if (cluster === undefined || role === "edge") return false;
  return records.some(
    (each) =>
      each.id !== record.id &&
      clusterIdOf(each) === cluster &&
      each.report?.role === role &&
      each.retiredAt === undefined &&
      !each.silence,
  );
}

/** What machines call, with a token until they have a key: they enrol, report, and leave. */
export abstract class FleetMachines extends FleetRollouts {
  /** The same token with the same key is the same server again, also when the token's uses are up or it has ended. */
  enrol(
    tokenHash: string,
    enrolment: Enrolment,
  ): { server: string; approvers?: Approvers | undefined } | { refused: EnrolRefusal } {
    if (!this.parts.hasTables) return { refused: "unknown-token" };
    const answer = enrol(this.sql, tokenHash, enrolment, this.now());
    if ("isNew" in answer && answer.isNew) this.parts.sockets.notify(answer.server, true);
    return "server" in answer
      ? { server: answer.server, approvers: approversIn(this.sql) }
      : answer;
  }

  archiveInputs(tokenHash: string): ReturnType<typeof archiveInputsOf> {
    return this.parts.hasTables
      ? archiveInputsOf(this.sql, tokenHash, this.now())
      : { refused: "unknown-token" };
  }

  /** Two rows are written, the server's and that of its quarter of an hour, and one more where its incident changes. */
  async report(key: Key, report: Report): Promise<ReportAnswer> {
    const record = this.parts.recordOf(key);
    if (!record) return { outcome: "unknown-key" };
    const incident = this.parts.monitor.living.get(watchedOf(record));
    const taken = this.parts.monitor.report(record, report);
    if ("sample" in taken && taken.sample) saveSample(this.sql, record.id, taken.sample);
    await this.parts.alarms.notLaterThan(this.parts.dueAfterReport(record, incident));
    if ("waitMs" in taken) return { outcome: taken.outcome, waitMs: taken.waitMs };
    if (taken.outcome !== "taken") return { outcome: taken.outcome };
    // Until the server's history has them, each report has them again.
    const restarts = this.parts.recordOf(key)?.restarts ?? [];
    return { outcome: "taken", restarts, ...this.approvalLines(key.server, report) };
  }

  /** The server's history has the restarts of LiveKit up to the one that began then. */
  async endRestarts(key: Key, through: number): Promise<void> {
    const record = this.parts.recordOf(key);
    if (record?.restarts) saveRecord(this.sql, withoutRestarts(record, through));
  }

  /** A copy of the machine, by its id or its instance, ends nothing: only its request for the place is removed. */
  async disconnect(
    key: Key,
    { machine, instance, left }: Leaving,
  ): Promise<{ ended: boolean } | { refused: "unknown-key" | "key-revoked" }> {
    const record = this.parts.recordOf(key);
    if (!record) return { refused: "unknown-key" };
    if (record.retiredAt !== undefined) return { refused: "key-revoked" };
    const isSame = machine === record.machine && instance === record.instance;
    if (isSame) {
      if (!left || !leavesOthers(record, this.parts.records())) {
        this.parts.queue.addDisconnected(record);
      }
      await this.parts.change(() => this.parts.servers.retire(record.id));
    } else this.parts.servers.withdraw(record, { machine, instance });
    return { ended: isSame };
  }
}
