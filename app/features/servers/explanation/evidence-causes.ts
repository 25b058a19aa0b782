import { type Evidence, isBlocked, isJittery, isLossy, isSlow } from "../room-sessions/evidence";
import { type CallEvidence, type EvidencePeers, nobody } from "../room-sessions/evidence-peers";
import { fromThereToo, networkHelp, networkName, openUdp } from "./evidence-words";
import { type Explanation, people } from "./facts";

// What their own app said of a call that came about. That packets were lost is measured; where, is concluded from others.

/** Their browser gave no camera or microphone, and they never sent any later. */
export function deviceCause(
  said: Evidence | undefined,
  tracks: readonly { source: string }[],
): Explanation[] {
  const { failure } = said ?? {};
  if (failure !== "camera" && failure !== "microphone") return [];
  if (tracks.some(({ source }) => source === failure.toUpperCase())) return [];
  return [
    {
      ...{ code: `device.${failure}`, confidence: "certain" },
      title: `Their browser gave your page no ${failure}: it was not allowed, not there, or another program had it.`,
      because: [`Their app said that their browser refused the ${failure}.`],
      next: [
        `They allow the ${failure} for your site: in the settings of the site, left of its address, and in those of the system.`,
        `They close other programs that use the ${failure}, and load the page again.`,
      ],
    },
  ];
}

/** Packets were lost, late or uneven. */
export function poorCause(evidence: Partial<CallEvidence> | undefined): Explanation[] {
  const { said, there = nobody, elsewhere = nobody } = evidence ?? {};
  if (!said || said.state === "failed") return [];
  const what = poorWords(said);
  if (!what) return [];
  const lossySenders = there.lossySenders + elsewhere.lossySenders;
  if (what.code === "loss" && lossySenders > 0) {
    return [
      {
        ...{ code: "loss.others", confidence: "likely" },
        title:
          "Others in the room lost packets on their way to the server, which were missing here.",
        because: [
          ...what.because,
          "What they sent themselves came through.",
          `What ${people(lossySenders)} in the room sent did not: their apps said so.`,
        ],
        next: ["Look at the calls of the others in the room: theirs say where it was lost."],
      },
    ];
  }
  return [{ confidence: "likely", ...placeOf(said, { there, elsewhere }, what) }];
}

type Poor = { code: string; verb: string; because: string[] };

/** Whether a call was bad enough for people to notice, and in which way. */
function poorWords(said: Evidence): Poor | undefined {
  const { lossPermille = 0, roundTripMs = 0, jitterMs = 0 } = said;
  const loss = `${Math.round(lossPermille / 10)} % of the packets`;
  const because = [
    ...(isLossy(said) ? [`Their app measured that ${loss} were lost.`] : []),
    ...(isSlow(said) ? [`Their app measured ${roundTripMs} ms there and back.`] : []),
    ...(isJittery(said) ? [`Their app measured a jitter of ${jitterMs} ms.`] : []),
    ...networkName(said),
  ];
  if (isLossy(said) && isSlow(said)) {
    return {
      code: "full",
      verb: `is too narrow or full: packets waited and ${loss} were lost`,
      because,
    };
  }
  if (isLossy(said)) return { code: "loss", verb: `lost ${loss}`, because };
  if (isSlow(said)) {
    return { code: "slow", verb: `took ${roundTripMs} ms there and back`, because };
  }
  if (isJittery(said)) {
    return { code: "jitter", verb: `brought packets unevenly, by ${jitterMs} ms`, because };
  }
}

type Peers = { there: EvidencePeers; elsewhere: EvidencePeers };

/** Where it was: in the server's network if others elsewhere had it too, else in theirs, or only at their device. */
function placeOf(
  { way }: Evidence,
  { there, elsewhere }: Peers,
  { code, verb, because }: Poor,
): Omit<Explanation, "confidence"> {
  if (elsewhere.poor > 0 && elsewhere.poor * 2 >= elsewhere.through) {
    return {
      code: `${code}.server`,
      title: `The network of the server ${verb}: calls from other networks were bad too.`,
      because: [
        ...because,
        `${people(elsewhere.poor)} in other networks had the same in that half hour.`,
      ],
      next: [
        "Compare the hours in the server's figures, and ask its provider. On the server: `sudo livekit-deploy doctor`",
      ],
    };
  }
  if (there.poor === 0 && there.through > 0) {
    return {
      code: `${code}.device`,
      title: `Their own device or its Wi-Fi ${verb}.`,
      because: [...because, `${people(there.through)} in the same network had good calls.`],
      next: [
        "A cable, or nearer to the router; another device there shows at once whether it is theirs.",
      ],
    };
  }
  return {
    code: `${code}.network`,
    title: `Their network ${verb}${fromThereToo(there.poor)}.`,
    because: [
      ...because,
      ...(elsewhere.through > 0
        ? [
            `${people(elsewhere.through)} in other networks were in calls then, and theirs were good.`,
          ]
        : []),
    ],
    next: [
      code === "slow"
        ? "They are far from the server, or behind a VPN that leads elsewhere: without it it may be well."
        : "A cable instead of Wi-Fi, and fewer who use it at once; at the office ask whoever runs the network whether it is full at that time.",
      ...(way !== undefined && way !== "udp" ? [openUdp] : []),
      ...(code === "loss" ? [smallMtu] : []),
      ...networkHelp,
    ],
  };
}

const smallMtu =
  "If sound is well and pictures stand still, large packets are lost, as by a VPN with a small MTU: try without it.";

/** UDP was tried and not answered, so the call took a way that stutters. Who chose that way without trying has no fault. */
export function wayCause(evidence: Partial<CallEvidence> | undefined): Explanation[] {
  const { said, there = nobody, elsewhere = nobody } = evidence ?? {};
  if (!said?.way || said.state === "failed" || !isBlocked(said)) return [];
  const { way } = said;
  const took =
    way === "tcp"
      ? "the call went over TCP"
      : `TURN relayed the call${way === "relay-tls" ? " inside TLS" : ""}`;
  const because = [
    "Their browser tried UDP, and nothing was answered; another way was.",
    ...networkName(said),
  ];
  const stutter = "It works, and stutters when their network is busy.";
  if (there.udp > 0) {
    return [
      {
        ...{ code: "way.device", confidence: "likely" },
        title: `Their own device lets no UDP through: ${took}.`,
        because: [
          ...because,
          `${people(there.udp)} in the same network had calls over UDP.`,
          stutter,
        ],
        next: ["A VPN, a firewall or a filter on that device may be the cause: try without it."],
      },
    ];
  }
  if (elsewhere.udp > 0) {
    return [
      {
        ...{ code: way === "tcp" ? "way.udp" : "way.443", confidence: "likely" },
        title:
          way === "tcp"
            ? `Their network lets no UDP through: ${took}${fromThereToo(there.blocked)}.`
            : `Their network lets little more than port 443 through: ${took}${fromThereToo(there.blocked)}.`,
        because: [
          ...because,
          `${people(elsewhere.udp)} in other networks had calls over UDP in that half hour.`,
          stutter,
        ],
        next: [openUdp],
      },
    ];
  }
  if (elsewhere.blocked > 0) {
    return [
      {
        ...{ code: "way.server", confidence: "likely" },
        title: `UDP got through to the server from nowhere, so ${took}: its ports for UDP are likely closed.`,
        because: [
          ...because,
          `${people(elsewhere.blocked)} in other networks tried UDP in vain too, and nobody's call went over it.`,
        ],
        next: [
          "Open them at your provider and on the machine: they are on the deployment's page. On the server: `sudo livekit-deploy doctor`",
        ],
      },
    ];
  }
  return [
    {
      ...{ code: "way.unknown", confidence: "unknown" },
      title: `UDP did not get through, so ${took}. Whether their network or the server's firewall was the cause cannot be known.`,
      because: [...because, "Nobody else's call of that time is known.", stutter],
      next: [openUdp, ...networkHelp],
    },
  ];
}
