import { causeWords } from "../incidents/cause-words";
import {
  type CallFacts,
  comeback,
  type Explanation,
  isBroken,
  isProgram,
  minuteMs,
  people,
  secondMs,
  throughNear,
  wrongAt,
} from "./facts";

// A connection that was never made, or broke. LiveKit says that it did, and seldom why.

/** Findings of the doctor and of checks with which media does not get through, for anybody or for some networks. */
const ofMedia = [
  ...["firewall.closed", "firewall.conflict", "firewall.missing", "port.closed", "port.silent"],
  ...["ice.closed", "dns.proxied", "dns.wrong", "address.unknown"],
  ...["turn.refused", "turn.tls.silent", "turn.udp.silent"],
];
/** States in which nothing of a server works. */
const ofServer = ["down", "livekit.silent", "service.down", "redis.unreachable", "disk.full"];

const networkHelp = [
  "Have them run a connection test from there: its link needs no account, and it says which ways their network lets through.",
  "Try another network, such as a phone's: it shows at once whether theirs is the cause.",
];

const ifOften = [
  "Ask them what they saw. If it happens often to the same people, have them run a connection test.",
];

/** The same of a finding in each explanation: what was found, and what mends it. */
function withFinding(
  facts: CallFacts,
  at: number,
  codes: readonly string[],
): { title: string; because: string; next: string } | undefined {
  const wrong = wrongAt(facts, at).find(({ code }) => codes.includes(code));
  if (!wrong) return;
  const { title, next } = causeWords(wrong);
  return { title, next, because: `At that time it was known of the server: ${title}.` };
}

/** LiveKit let them in, and sound and picture never got through. */
export function neverThrough(facts: CallFacts): Explanation[] {
  const { participant, others } = facts;
  const { isAborted, reason, joinedAt, leftAt = joinedAt, kind, identity } = participant;
  if (!isAborted && reason !== "MEDIA_FAILURE" && reason !== "JOIN_FAILURE") return [];
  const tried = leftAt - joinedAt;
  const seen = isAborted
    ? "LiveKit let them in, and no media connection came about."
    : `LiveKit gave this reason: ${reason}.`;
  const later = others.find(
    (each) =>
      each.identity === identity &&
      identity !== "" &&
      !each.isAborted &&
      each.joinedAt > joinedAt &&
      each.joinedAt - leftAt <= 5 * minuteMs,
  );
  if (later) {
    return [
      {
        ...{ code: "through-later", confidence: "unknown" },
        title: "The first try did not get through, and a later one did. Why cannot be known.",
        because: [
          seen,
          "The same identity got through minutes later.",
          "A page that was loaded again looks the same.",
        ],
        next: ifOften,
      },
    ];
  }
  // Where LiveKit does not say when they came, the two times are one.
  if (isAborted && reason !== "JOIN_FAILURE" && tried > 0 && tried < 5 * secondMs) {
    return [
      {
        ...{ code: "gave-up", confidence: "unknown" },
        title: "They were gone before a connection could come about. Why cannot be known.",
        because: [
          seen,
          "That took less than five seconds: LiveKit tries for longer.",
          "A closed page, a page that was loaded again and a lost network look the same.",
        ],
        next: ifOften,
      },
    ];
  }
  const found: Explanation[] = [];
  const through = throughNear(facts, joinedAt);
  const failed = others.filter(
    (each) =>
      (each.isAborted || each.reason === "MEDIA_FAILURE") &&
      Math.abs(each.joinedAt - joinedAt) <= 30 * minuteMs,
  );
  const finding = withFinding(facts, joinedAt, [...ofMedia, ...ofServer]);
  if (finding) {
    found.push({
      ...{ code: "media.server", confidence: "likely" },
      title: "Sound and picture did not get through, and something was wrong with the server.",
      because: [seen, finding.because],
      next: [finding.next],
    });
  }
  if (!isProgram(kind) && through.length > 0) {
    const network: Explanation = {
      ...{ code: "media.network", confidence: "likely" },
      title: "Their network let no sound and picture through.",
      because: [
        seen,
        `${people(through.length)} got through in the half hour around it, on this same server.`,
      ],
      next: networkHelp,
    };
    // What others were not hindered by comes second, unless others failed too.
    if (failed.length === 0) found.unshift(network);
    else found.push(network);
  }
  if (found.length === 0) {
    found.push({
      ...{ code: "media.unknown", confidence: failed.length > 0 ? "likely" : "unknown" },
      title:
        failed.length > 0
          ? "Nobody got through at that time: the server's ports for media are likely closed."
          : "Sound and picture did not get through. Whether the network or the server was the cause cannot be known.",
      because: [
        seen,
        failed.length > 0
          ? `${people(failed.length)} more did not get through, and nobody did, in the half hour around it.`
          : "Nobody else joined in the half hour around it.",
      ],
      next: ["On the server, run: `sudo livekit-deploy doctor`", ...networkHelp],
    });
  }
  return found;
}

/** The connection was there, and broke. */
export function broken(facts: CallFacts): Explanation[] {
  const { participant, others, session } = facts;
  const { leftAt } = participant;
  if (leftAt === undefined || participant.isAborted) return [];
  if (participant.isAssumed) {
    if (session.end !== "restart") return [];
    return [
      {
        ...{ code: "restart", confidence: "likely" },
        title: "LiveKit ended without a word on the server, and this call with it.",
        because: [
          "Another process of LiveKit reported next, and nobody said before when this participant left.",
        ],
        next: [
          "On the server: `sudo livekit-deploy logs livekit --around TIME` shows its last lines; a lack of memory is the most frequent cause.",
        ],
      },
    ];
  }
  const seen = Object.hasOwn(seenOf, participant.reason) ? seenOf[participant.reason] : undefined;
  if (!seen) return [];
  const atOnce = others.filter(
    (each) => isBroken(each) && Math.abs((each.leftAt ?? 0) - leftAt) <= 30 * secondMs,
  );
  const present = others.filter(
    (each) =>
      !each.isAborted &&
      each.joinedAt < leftAt &&
      (each.leftAt ?? leftAt) >= leftAt - 30 * secondMs,
  );
  const isMany = atOnce.length >= 2 && atOnce.length * 2 >= present.length;
  const finding = withFinding(facts, leftAt, ofServer);
  if (finding) {
    return [
      {
        ...{ code: "break.server", confidence: "likely" },
        title: "The connection broke, and something was wrong with the server.",
        because: [
          seen,
          finding.because,
          ...(isMany ? [`${people(atOnce.length)} more lost theirs in the same half minute.`] : []),
        ],
        next: [finding.next],
      },
    ];
  }
  if (isMany) {
    return [
      {
        ...{ code: "break.many", confidence: "likely" },
        title:
          "Several connections broke at once: the server's network or the server, not this person's.",
        because: [seen, `${people(atOnce.length)} more lost theirs in the same half minute.`],
        next: [
          "Look at the server's figures and at its provider's notices of that time. On the server: `sudo livekit-deploy doctor`",
        ],
      },
    ];
  }
  const back = comeback(facts);
  const stayed = present.filter((each) => !isProgram(each.kind) && !isBroken(each));
  if (back) {
    return [
      {
        ...{ code: "break.back", confidence: "likely" },
        title: "Their network was interrupted for a moment, or the page was loaded again.",
        because: [
          seen,
          `The same identity was back ${Math.max(1, Math.round((back.joinedAt - leftAt) / secondMs))} s later.`,
        ],
        next: ifOften,
      },
    ];
  }
  if (participant.reason === "CONNECTION_TIMEOUT" && stayed.length > 0) {
    return [
      {
        ...{ code: "break.network", confidence: "likely" },
        title: "Their network went away, or their device fell asleep.",
        because: [seen, `${people(stayed.length)} in the same room kept theirs.`],
        next: networkHelp,
      },
    ];
  }
  return [
    {
      ...{ code: "break.unknown", confidence: "unknown" },
      title: "The connection ended without a goodbye. Why cannot be known.",
      because: [
        seen,
        "A closed browser, a device that fell asleep and a lost network look the same to the server.",
      ],
      next: ifOften,
    },
  ];
}

const seenOf: Readonly<Record<string, string>> = {
  SIGNAL_CLOSE: "LiveKit saw the connection of the client end, and no goodbye: SIGNAL_CLOSE.",
  CONNECTION_TIMEOUT: "LiveKit heard nothing of the client any more: CONNECTION_TIMEOUT.",
  STATE_MISMATCH:
    "The client came back after an interruption, and LiveKit knew it no more: STATE_MISMATCH.",
};
