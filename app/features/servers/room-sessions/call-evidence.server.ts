import type { Evidence } from "./evidence";
import { type CallEvidence, nobody, peersOf } from "./evidence-peers";
import { type EvidenceRow, evidenceIn } from "./evidence-row.server";

const minuteMs = 60_000;
/** Of the others on the server, those of about that time; of those in the same network, which stays as it is, of that day. */
const elsewhereMs = 30 * minuteMs;
const thereMs = 12 * 60 * minuteMs;
const maxPeers = 200;

/** How others fared at the time of a call: in its network, and in all others. */
export function peersOfCall(
  sql: SqlStorage,
  call: Pick<Evidence, "network" | "identity" | "firstAt" | "at">,
  said?: Evidence,
): Pick<CallEvidence, "there" | "elsewhere"> {
  const { network, identity, firstAt, at } = call;
  const others = (sameNetwork: "=" | "<>", aroundMs: number) =>
    peersOf(
      sql
        .exec<EvidenceRow>(
          `select * from evidence
           where network ${sameNetwork} ? and first between ? and ? and identity <> ? limit ${maxPeers}`,
          ...[network, firstAt - aroundMs, at + aroundMs, identity],
        )
        .toArray()
        .map(evidenceIn),
      said,
    );
  // A network that is not known is nobody's.
  return { there: network ? others("=", thereMs) : nobody, elsewhere: others("<>", elsewhereMs) };
}

/** The call of a participant, by LiveKit's id, and where the app did not know it by who joined which room, and when. */
type Call = {
  sid: string;
  identity: string;
  roomName: string;
  joinedAt: number;
  /** When it ended, or now. */
  until: number;
};

/** What apps said of one call, and of others at that time. */
export function evidenceOfCall(sql: SqlStorage, call: Call): CallEvidence {
  const { sid, identity, roomName, joinedAt, until } = call;
  const said = sql
    .exec<EvidenceRow>(
      `select * from evidence where participant = ?
       union all
       select * from (
         select * from evidence where identity = ? and participant = '' and first between ? and ?
         order by first desc
       )`,
      ...[sid, identity, joinedAt - minuteMs, until + 2 * minuteMs],
    )
    .toArray()
    .map(evidenceIn)
    .find((each) => each.identity === identity && each.roomName === roomName);
  const { network = "" } = said ?? {};
  return {
    ...(said ? { said } : {}),
    ...peersOfCall(sql, { network, identity, firstAt: joinedAt, at: until }, said),
  };
}
