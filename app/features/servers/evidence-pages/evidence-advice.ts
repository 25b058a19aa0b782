import { type Evidence, isBad, isLossy, isSlow } from "../room-sessions/evidence";
import type { NetworkSum } from "../room-sessions/evidence-sums";

/** What somebody who is asked "why could I not connect" says: a sentence, how sure it is, and what to do. */
export type EvidenceAdvice = {
  title: string;
  confidence: "certain" | "likely" | "unknown";
  steps: readonly string[];
  isGood?: true;
};

export const confidences: Readonly<Record<EvidenceAdvice["confidence"], string>> = {
  certain: "This is certain.",
  likely: "This is likely, not certain.",
  unknown: "The cause cannot be known from here.",
};

/** `network`: the calls of others in it. */
type Place = { domain: string | undefined; network: NetworkSum | undefined };

const test = "Send them a link to the connection test: it says what their network lets through.";
const allow = ({ domain }: Place) =>
  `Ask whoever runs their network to allow ${domain ?? "the server's name"} by UDP: the ports are on the deployment's page.`;

/** What is known of others in the network of a call: all of it but this person's own calls, which are among `calls`. */
export function othersIn(
  sum: NetworkSum | undefined,
  { identity, network }: Pick<Evidence, "identity" | "network">,
  calls: readonly Evidence[],
): NetworkSum | undefined {
  const theirs = calls.filter((each) => each.identity === identity && each.network === network);
  return (
    sum && {
      ...{ network, calls: sum.calls - theirs.length, bad: sum.bad - theirs.filter(isBad).length },
    }
  );
}

/** By what their app said of one call, and what is known of others in their network. */
export function evidenceAdvice(evidence: Evidence, place: Place): EvidenceAdvice {
  const failure = evidence.failure && failures[evidence.failure]?.(place);
  if (failure && (evidence.state === "failed" || evidence.failure !== "other")) return failure;
  if (evidence.state === "failed") return otherFailure;
  if (isLossy(evidence)) return lossy(evidence, place);
  if (isSlow(evidence)) return slow(evidence);
  return wayAdvice(evidence, place);
}

const otherFailure: EvidenceAdvice = {
  title: "They did not get in, and their app did not say why.",
  confidence: "unknown",
  steps: [test, "On the server, run: sudo livekit-deploy doctor"],
};

/** Whether others in the same network had good calls, so that it is not the network alone. */
const othersAreWell = ({ network }: Place): boolean =>
  network !== undefined && network.calls - network.bad >= 2;

const failures: Partial<
  Record<NonNullable<Evidence["failure"]>, (place: Place) => EvidenceAdvice>
> = {
  token: () => ({
    title: "The server refused the token of your app.",
    confidence: "certain",
    steps: [
      "Look at the clock and at the key of the back end that makes the tokens.",
      "A page that stays open for hours needs a new token for each join.",
    ],
  }),
  unreachable: (place) =>
    othersAreWell(place)
      ? {
          title: "Their device did not reach the server, while others in the same network did.",
          confidence: "likely",
          steps: ["A VPN, an extension or a filter on that device may be the cause.", test],
        }
      : {
          title: "Their network did not reach the server at all.",
          confidence: "likely",
          steps: [
            `Ask whoever runs their network to allow ${place.domain ?? "the server's name"} at port 443/tcp.`,
            test,
          ],
        },
  timeout: () => ({
    title: "The server did not answer in time.",
    confidence: "unknown",
    steps: ["Look at incidents at that time.", test],
  }),
  media: (place) => ({
    title: "LiveKit answered, but sound and picture got through on no way.",
    confidence: "likely",
    steps: [allow(place), "Check that TURN works: sudo livekit-deploy doctor", test],
  }),
  refused: () => ({
    title: "The server or your back end ended their join.",
    confidence: "certain",
    steps: ["Look at the room's session: it may have been full, closed, or they were removed."],
  }),
  duplicate: () => ({
    title: "The same identity joined again, so this call was ended.",
    confidence: "certain",
    steps: ["They had it open twice, or your back end gives two people one identity."],
  }),
  broken: (place) => ({
    title: "The connection broke off during the call and did not come back.",
    confidence: othersAreWell(place) ? "likely" : "unknown",
    steps: [
      othersAreWell(place)
        ? "Others in the same network stayed: their Wi-Fi or their device is the likely cause."
        : "Look whether others left at the same time: then it was the server or its network.",
      test,
    ],
  }),
  camera: () => deviceAdvice("camera"),
  microphone: () => deviceAdvice("microphone"),
};

const deviceAdvice = (device: string): EvidenceAdvice => ({
  title: `Their browser was not allowed to use the ${device}, or another program had it.`,
  confidence: "certain",
  steps: [
    `They allow the ${device} for your site: in the settings of the site, left of its address, and in those of the system.`,
    `They close other programs that use the ${device}, and load the page again.`,
  ],
});

function lossy({ lossPermille = 0, way }: Evidence, place: Place): EvidenceAdvice {
  const loss = `${Math.round(lossPermille / 10)} %`;
  const isRelayed = way !== undefined && way !== "udp";
  return {
    title: `Their network lost ${loss} of the packets: sound breaks up and pictures freeze.`,
    confidence: "certain",
    steps: [
      othersAreWell(place)
        ? "Others in the same network were well: it is their Wi-Fi or their device. A cable, or nearer to the router."
        : "Others in the same network are not known to be well: ask whoever runs it whether it is full at that time.",
      ...(isRelayed ? [allow(place)] : []),
    ],
  };
}

const slow = ({ roundTripMs = 0 }: Evidence): EvidenceAdvice => ({
  title: `Their packets took ${roundTripMs} ms there and back: people talk over each other.`,
  confidence: "certain",
  steps: [
    "They are far from the server, or behind a VPN that leads elsewhere. Without the VPN it may be well.",
  ],
});

function wayAdvice({ way, state }: Evidence, place: Place): EvidenceAdvice {
  switch (way) {
    case "udp":
    case "relay-udp":
      return {
        title: "Nothing was wrong with the way of this call.",
        ...{ confidence: "certain", steps: [], isGood: true },
      };
    case "tcp":
      return {
        title: "UDP did not get through: the call went over TCP, straight to the server.",
        confidence: "certain",
        steps: ["It works, and stutters when their network is busy.", allow(place)],
      };
    case "relay-tcp":
    case "relay-tls":
    case "relay":
      return {
        title: "Their network lets little more than port 443 through: TURN relayed the call.",
        confidence: "certain",
        steps: ["It works, and stutters when their network is busy.", allow(place)],
      };
    default:
      return {
        title:
          state === "connected"
            ? "They got in. Which way the call took, their app did not say."
            : "The call ended. Which way it took, their app did not say.",
        confidence: "unknown",
        steps: [test],
      };
  }
}
