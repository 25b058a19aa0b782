import type { ServerRecord } from "./server-record";

/** So many of each kind of line stay of what a disconnected server reported. */
const mostLines = 12;

/**
 * What is kept of a server whose key ends now: who it was, and its last report. Of its lines and changes the first twelve
 * of each kind stay, because workspaces that make servers anew each week keep hundreds of those that are gone.
 */
export function retired(record: ServerRecord, now: number): ServerRecord {
  const { id, deployment, name, domain, machine, instance, enrolledAt, keyHash } = record;
  const { report, reportAt, changes, bucket } = record;
  return {
    ...{ id, deployment, name, machine, instance, enrolledAt, keyHash, retiredAt: now },
    ...(domain === undefined ? {} : { domain }),
    ...(reportAt === undefined ? {} : { reportAt }),
    ...(report && {
      report: {
        ...report,
        findings: report.findings
          .toSorted((one, other) => one.severity.localeCompare(other.severity))
          .slice(0, mostLines),
        services: report.services.slice(0, mostLines),
        certificates: report.certificates.slice(0, mostLines),
        addresses: report.addresses.slice(0, mostLines),
      },
    }),
    ...{ changes: changes.slice(0, mostLines), refused: [], boots: [], bucket },
  };
}
