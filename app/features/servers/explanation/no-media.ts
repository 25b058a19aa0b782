import type { Evidence } from "../room-sessions/evidence";
import { type CallEvidence, nobody } from "../room-sessions/evidence-peers";
import { fromThereToo, networkHelp, networkName, openUdp } from "./evidence-words";
import { type Explanation, people, type ServerFacts } from "./facts";
import { findingAt, ofMedia, ofServer, ofTurn } from "./server-findings";

/** What is known of a join that LiveKit answered, and in which no media came about. */
export type MediaFailure = {
  at: number;
  /** What was seen of it. */
  seen: readonly string[];
  /** Whether it is no browser or app of somebody. */
  isProgram?: boolean;
  /** How many others in the room got through in the half hour around it, and how many did not. */
  through: number;
  failed: number;
  evidence?: Partial<CallEvidence> | undefined;
};

/** Why nothing got through, although LiveKit let them in. */
export function noMedia(facts: ServerFacts, failure: MediaFailure): Explanation[] {
  const { at, seen, isProgram = false, evidence = {} } = failure;
  const { said, elsewhere = nobody } = evidence;
  const through = Math.max(failure.through, elsewhere.through);
  const failed = Math.max(failure.failed, elsewhere.failed);
  const finding =
    findingAt(facts, at, [...ofMedia, ...ofServer]) ??
    (through === 0 ? findingAt(facts, at, ofTurn) : undefined);
  const found: Explanation[] = [];
  if (finding) {
    found.push({
      ...{ code: "media.server", confidence: "likely" },
      title: "Sound and picture did not get through, and something was wrong with the server.",
      because: [...seen, finding.because],
      next: [finding.next],
    });
  }
  if (!isProgram && through > 0) {
    const because = [
      ...seen,
      `${people(through)} got through in the half hour around it, on this same server.`,
      ...(said ? networkName(said) : []),
    ];
    const network = { ...inNetwork(facts, failure), confidence: "likely" as const };
    // What others were not hindered by comes second, unless others failed too.
    const explanation = { ...network, because: [...because, ...network.because] };
    if (failed === 0) found.unshift(explanation);
    else found.push(explanation);
  }
  return found.length > 0 ? found : [ofNobody(seen, failed, elsewhere.failed > 0)];
}

/** Others get through: which of their network's ways is closed, as far as that is known. */
function inNetwork(
  facts: ServerFacts,
  { at, evidence = {} }: MediaFailure,
): Omit<Explanation, "confidence"> {
  const { said, there = nobody, elsewhere = nobody } = evidence;
  const too = fromThereToo(there.failed);
  if (said?.direct === "open") {
    return {
      code: "media.handshake",
      title: `UDP got through, and the encrypted connection over it did not come about${too}.`,
      because: [
        "The server answered their browser by UDP, with small packets.",
        "A network that loses large packets (a small MTU, as behind a VPN) looks so, and a firewall that lets only some kinds of UDP through.",
      ],
      next: [
        "Have them try without a VPN, and ask whoever runs their network for the MTU of the way to the server.",
        ...networkHelp,
      ],
    };
  }
  const turn = findingAt(facts, at, ofTurn);
  const noUdp = said?.direct === "silent" ? ["Their browser got no answer by UDP."] : [];
  if (turn) {
    return {
      code: "media.turn",
      title: `Their network lets nothing through straight, and the server's TURN, which is for that, did not work${too}.`,
      because: [...noUdp, turn.because],
      next: [turn.next, openUdp],
    };
  }
  if (said && facts.incidents && isCut(said, elsewhere.relayed > 0)) {
    return {
      code: "media.proxy",
      title: `Their network lets no UDP through, and cuts TURN inside TLS, likely by a proxy that opens TLS${too}.`,
      because: [
        ...noUdp,
        "Their app's word of it came over HTTPS, to the name and port of TURN: TLS gets there, and TURN inside it does not.",
        elsewhere.relayed > 0
          ? `${people(elsewhere.relayed)} elsewhere had calls by TURN inside TLS at that time.`
          : "Nothing was known to be wrong with the server's TURN.",
      ],
      next: [
        "Ask whoever runs their network to leave TLS to the server unopened, or to let UDP through: names and ports are on the deployment's page.",
        ...networkHelp,
      ],
    };
  }
  return {
    code: "media.network",
    title: `Their network let no sound and picture through${too}.`,
    because: noUdp,
    next: networkHelp,
  };
}

/** Whether TURN inside TLS was there for them. Where nothing was tried by UDP their app may have chosen the way itself. */
const isCut = ({ direct }: Evidence, isRelaying: boolean): boolean =>
  direct === "silent" || isRelaying;

/** Two people of one room may be in one network, so that only others in other networks say something of the server. */
function ofNobody(seen: readonly string[], failed: number, isElsewhere: boolean): Explanation {
  return {
    ...{ code: "media.unknown", confidence: isElsewhere ? "likely" : "unknown" },
    title: isElsewhere
      ? "Nobody got through, from other networks either: the server's ports for media are likely closed."
      : failed > 0
        ? "Nobody in their room got through. Whether a network that they share or the server was the cause cannot be known."
        : "Sound and picture did not get through. Whether the network or the server was the cause cannot be known.",
    because: [
      ...seen,
      failed > 0
        ? `${people(failed)} more did not get through in the half hour around it, and nobody did of whom that is known.`
        : "Nobody else joined in the half hour around it.",
    ],
    next: ["On the server, run: `sudo livekit-deploy doctor`", ...networkHelp],
  };
}
