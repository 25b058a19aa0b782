import {
  type CheckTarget,
  checkFindings,
  type OutsideCheck,
} from "~/features/deployments/checks/check";
import { isHostName, type ServerRecord } from "../state/server-record";
import { nextStage } from "../state/state";
import { lastingSuspension } from "../state/suspension.server";

/** How often a server is checked from outside. */
export const checksEveryMs = 5 * 60_000;
/** A server that is silent for longer is not checked any more. */
const endsAfterMs = 24 * 60 * 60_000;

/**
 * Whether a server is to be checked from outside by itself: one whose first boot is over, that is not just going to restart,
 * and that is not known to be down, of which everything is said then. Nobody connects to an Egress machine.
 */
export function isChecked(record: ServerRecord, now: number): boolean {
  const { retiredAt, isSimulated, report, silence, domain } = record;
  if (retiredAt !== undefined || isSimulated || !report || lastingSuspension(record)) return false;
  if (report.role === "egress" || report.going) return false;
  if (report.addresses.length === 0 || !isHostName(domain)) return false;
  if (silence && (!silence.probe?.answers || now - silence.foundAt > endsAfterMs)) return false;
  return nextStage(record, now) === undefined;
}

/** What is checked of a server, as its last report says it. Undefined where that says too little. */
export function checkTarget({ domain, report, silence }: ServerRecord): CheckTarget | undefined {
  if (!report || domain === undefined) return;
  return {
    domain,
    turn: report.turn === false ? null : report.turnName,
    addresses: report.addresses
      .toSorted((one, other) => one.family - other.family)
      .map(({ address }) => address),
    readsCertificate: silence !== undefined || report.certificates.length === 0,
  };
}

/**
 * The five minutes in which a moment is. They begin at another moment for each fleet, so that not all are checked at once,
 * and at the same for all servers of one, so that its alarm rings once for all of them.
 */
export function slotOf(fleet: string, at: number): { number: number; ends: number } {
  let hash = 0;
  for (const letter of fleet) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  const phase = hash % checksEveryMs;
  const number = Math.floor((at - phase) / checksEveryMs);
  return { number, ends: (number + 1) * checksEveryMs + phase };
}

/** Whether a check shows nothing new beside its time: then no row is written for it. */
export function isSameCheck(former: OutsideCheck | undefined, latter: OutsideCheck): boolean {
  if (!former || former.isScheduled !== latter.isScheduled) return false;
  const found = (check: OutsideCheck) => JSON.stringify(checkFindings(check));
  return former.changedAt === latter.changedAt && found(former) === found(latter);
}
