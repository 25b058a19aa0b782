import { fromThereToo, networkHelp, networkName, saidBy } from "./evidence-words";
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
} from "./facts";
import { noMedia } from "./no-media";
import { findingAt, ofServer } from "./server-findings";

// A connection that was never made, or broke. LiveKit says that it did, and seldom why.

const ifOften = [
  "Ask them what they saw. If it happens often to the same people, have them run a connection test.",
];

/** LiveKit let them in, and sound and picture never got through. */
export function neverThrough(facts: CallFacts): Explanation[] {
  const { participant, others, evidence } = facts;
  const isOfApp = evidence?.said?.state === "failed";
  const sameNetwork = inNetworkOf(facts);
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
  if (isAborted && !isOfApp && reason !== "JOIN_FAILURE" && tried > 0 && tried < 5 * secondMs) {
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
  const failed = others.filter(
    (each) =>
      (each.isAborted || each.reason === "MEDIA_FAILURE") &&
      !sameNetwork(each) &&
      Math.abs(each.joinedAt - joinedAt) <= 30 * minuteMs,
  );
  return noMedia(facts, {
    ...{ at: joinedAt, isProgram: isProgram(kind), evidence, failed: failed.length },
    seen: [seen, ...(isOfApp ? [saidBy("sound and picture got through on no way")] : [])],
    through: throughNear(facts, joinedAt).length,
  });
}

/** The connection was there, and broke. */
export function broken(facts: CallFacts): Explanation[] {
  const { participant, others, session, evidence } = facts;
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
  const finding = findingAt(facts, leftAt, ofServer);
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
  const sameNetwork = inNetworkOf(facts);
  const stayed = present.filter((each) => !isProgram(each.kind) && !isBroken(each));
  if (atOnce.length > 0 && atOnce.every(sameNetwork) && stayed.length > 0) {
    return [
      {
        ...{ code: "break.network", confidence: "likely" },
        title: `Their network went away${fromThereToo(atOnce.length)}.`,
        because: [
          seen,
          `${people(atOnce.length)} from the same network lost theirs in the same half minute, and ${people(stayed.length)} elsewhere kept theirs.`,
          ...(evidence?.said ? networkName(evidence.said) : []),
        ],
        next: networkHelp,
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
        title: "Their network went away, their device fell asleep, or their browser was ended.",
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

/** They left by themselves and were back at once. */
export function reloaded(facts: CallFacts): Explanation[] {
  const { reason, leftAt } = facts.participant;
  const back = comeback(facts);
  if (reason !== "CLIENT_INITIATED" || leftAt === undefined || !back) return [];
  const away = Math.max(0, back.joinedAt - leftAt);
  if (away > 15 * secondMs) return [];
  return [
    {
      ...{ code: "reloaded", confidence: "likely" },
      title: "The page was loaded again, or they left and came straight back.",
      because: [
        "Their app said goodbye.",
        `The same identity was back ${Math.max(1, Math.round(away / secondMs))} s later.`,
      ],
      next: [
        "If they did not do it, look whether your app loads its page or joins anew by itself, such as after an error.",
      ],
    },
  ];
}

/** Whether somebody's app said that they are in the same network. */
function inNetworkOf({ evidence }: CallFacts): (other: { identity: string }) => boolean {
  const there = new Set(evidence?.there.identities);
  return ({ identity }) => there.has(identity);
}
