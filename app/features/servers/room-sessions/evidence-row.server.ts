import type { Evidence } from "./evidence";

/** A row of the table of evidence; `record` is what the other columns do not have. */
export type EvidenceRow = {
  id: number;
  participant: string;
  session: string;
  identity: string;
  network: string;
  first: number;
  record: string;
};

/** Only this Worker writes the columns. Records of before have all of it. */
export function evidenceIn({
  participant,
  session,
  identity,
  network,
  first,
  record,
}: EvidenceRow): Evidence {
  return { participant, session, identity, network, firstAt: first, ...JSON.parse(record) };
}
