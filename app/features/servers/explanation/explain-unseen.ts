import type { Evidence } from "../room-sessions/evidence";
import { nobody } from "../room-sessions/evidence-peers";
import { deviceCause, poorCause, wayCause } from "./evidence-causes";
import { fromThereToo, networkHelp, networkName, saidBy } from "./evidence-words";
import { type Explanation, people, type UnseenCallFacts } from "./facts";
import { noMedia } from "./no-media";
import { findingAt, ofClock, ofIpv6, ofMedia, ofReach, ofServer } from "./server-findings";

/** Why a call failed of which LiveKit told its server nothing: by what their app said, or by what is known of that time. */
export function explainUnseen(facts: UnseenCallFacts): Explanation[] {
  const { said } = facts.evidence ?? {};
  if (!said) return nothingCame(facts);
  if (said.state === "failed") return failedJoin(facts, said);
  return [
    ...deviceCause(said, []),
    ...poorCause(facts.evidence),
    ...wayCause(facts.evidence),
    ...brokenOff(said),
  ];
}

function nothingCame(facts: UnseenCallFacts): Explanation[] {
  const finding = findingAt(facts, facts.at, [...ofReach, ...ofServer]);
  if (finding) {
    return [
      {
        ...{ code: "absent.server", confidence: "likely" },
        title: "Nothing of it came to the server, and something was wrong with that.",
        because: [finding.because],
        next: [finding.next],
      },
    ];
  }
  const noIpv6 = findingAt(facts, facts.at, ofIpv6);
  if (noIpv6) {
    return [
      {
        ...{ code: "absent.ipv6", confidence: "unknown" },
        title:
          "Nothing of it came to the server, which is not reached by IPv6. Whether their network has IPv6 alone cannot be known.",
        because: [noIpv6.because, "Who has IPv4 too is not hindered by it."],
        next: [noIpv6.next, ...networkHelp],
      },
    ];
  }
  return [
    {
      ...{ code: "absent", confidence: "unknown" },
      title: "Nothing of it came to the server, so why it failed cannot be known.",
      because: [
        "A network that does not let their app reach the server looks like this, and so does an app that does not send evidence, or whose tokens another key signs.",
      ],
      next: networkHelp,
    },
  ];
}

function failedJoin(facts: UnseenCallFacts, said: Evidence): Explanation[] {
  if (said.failure === "token") return [refusedToken(facts, said)];
  if (said.failure === "refused") {
    return [
      {
        ...{ code: "join.refused", confidence: "likely" },
        title:
          "The server ended their join: the room was full or closed, or your back end removed them.",
        because: [saidBy("the server told it to leave while it joined")],
        next: ["Look at the room's session, and at the limits that your back end gives rooms."],
      },
    ];
  }
  if (said.failure === "media") {
    return noMedia(facts, {
      ...{ at: said.at, through: 0, failed: 0, evidence: facts.evidence },
      seen: [saidBy("the server answered, and sound and picture got through on no way")],
    });
  }
  return [notReached(facts, said)];
}

function refusedToken(facts: UnseenCallFacts, { at, token }: Evidence): Explanation {
  const seen = saidBy("the server refused its token");
  if (!token) {
    return {
      ...{ code: "token.refused", confidence: "likely" },
      title: "The server refused the token of your app.",
      because: [
        seen,
        "One of the machine's keys had signed it, and it was within its time: LiveKit may run with other keys, or the token lacks a right.",
      ],
      next: [
        "Look which key your back end signs with, and what the token grants: `sudo livekit-deploy token` prints one that works.",
      ],
    };
  }
  const isEnded = token === "ended";
  const clock = findingAt(facts, at, ofClock);
  if (clock) {
    return {
      ...{ code: "token.clock", confidence: "likely" },
      title: "The server refused their token by its own clock, which was wrong.",
      because: [
        seen,
        `By the clock of the server ${isEnded ? "the token's end was past" : "the token's time had not begun"}.`,
        clock.because,
      ],
      next: [clock.next],
    };
  }
  return {
    ...{ code: `token.${token}`, confidence: "certain" },
    title: isEnded
      ? "Their token had ended, so the server refused it."
      : "The time of their token had not begun, so the server refused it: a clock is wrong.",
    because: [
      seen,
      isEnded
        ? "The server saw in the token that its end was past."
        : "The server saw in the token that it begins later than now.",
    ],
    next: isEnded
      ? [
          "A page that stays open for hours needs a new token for each join.",
          "Look at the clock of the back end that makes the tokens: one that is slow makes tokens that have ended.",
        ]
      : [
          "Set the clock of the back end that makes the tokens. On the server `sudo livekit-deploy doctor` says whether its own is right.",
        ],
  };
}

const notReachedWords: Readonly<Record<string, string>> = {
  unreachable: "it did not reach the server",
  timeout: "the server did not answer in time",
};

/** The server was not reached, did not answer, or answered with an error. */
function notReached(facts: UnseenCallFacts, said: Evidence): Explanation {
  const { there = nobody, elsewhere = nobody } = facts.evidence ?? {};
  const words = notReachedWords[said.failure ?? ""] ?? "joining failed, and not why";
  const because = [saidBy(words), ...networkName(said)];
  const finding = findingAt(facts, said.at, [...ofServer, ...ofReach, ...ofMedia]);
  if (finding) {
    return {
      ...{ code: "join.server", confidence: "likely" },
      title: "They did not get in, and something was wrong with the server.",
      because: [...because, finding.because],
      next: [finding.next],
    };
  }
  if (said.failure === "unreachable" && there.through > 0) {
    return {
      ...{ code: "join.device", confidence: "likely" },
      title: "Their device did not reach LiveKit, while others in the same network did.",
      because: [...because, `${people(there.through)} got in from the same network that day.`],
      next: ["A VPN, an extension or a filter on that device may be the cause.", ...networkHelp],
    };
  }
  if (said.failure === "unreachable" && elsewhere.through > 0) {
    return {
      ...{ code: "join.network", confidence: "likely" },
      title: `Their network did not let them reach LiveKit${fromThereToo(there.failed)}.`,
      because: [
        ...because,
        `${people(elsewhere.through)} got in from other networks in that half hour.`,
        "What their app said came over HTTPS, to the name of TURN: their network blocks WebSocket, or the server's other name.",
      ],
      next: [
        "Ask whoever runs their network to allow the server's name at port 443/tcp, with WebSocket.",
        ...networkHelp,
      ],
    };
  }
  return {
    ...{ code: "join.unknown", confidence: "unknown" },
    title: "They did not get in. Why cannot be known.",
    because,
    next: ["On the server, run: `sudo livekit-deploy doctor`", ...networkHelp],
  };
}

function brokenOff({ failure }: Evidence): Explanation[] {
  if (failure === "duplicate") {
    return [
      {
        ...{ code: "said.DUPLICATE_IDENTITY", confidence: "certain" },
        title: "The same identity joined again, and that ended this call.",
        because: [saidBy("LiveKit gave this reason: the same identity")],
        next: ["Give each tab and each device an identity of its own in the token."],
      },
    ];
  }
  if (failure !== "broken") return [];
  return [
    {
      ...{ code: "break.unknown", confidence: "unknown" },
      title: "The connection broke off during the call and did not come back. Why cannot be known.",
      because: [saidBy("the connection broke off")],
      next: networkHelp,
    },
  ];
}
