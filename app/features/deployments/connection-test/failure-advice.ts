import type { TestedServer } from "../test-room/tested-server";
import type { WayFailure } from "./ways";

/** What our site sees of a server from where it is itself. */
export const outsides = [
  "livekit",
  "starting",
  "certificate",
  "nothing",
  "other",
  "elsewhere",
  "no-address",
  "private",
  "unknown",
] as const;
export type Outside = (typeof outsides)[number];

export type Advice = {
  title: string;
  confidence: "certain" | "likely" | "unknown";
  /** For whoever runs the test, in their network. */
  tester: readonly string[];
  /** For whoever runs the server. */
  owner: readonly string[];
};

type Place = TestedServer & { outside?: Outside | undefined };

const doctor = "On the server, run: sudo livekit-deploy doctor";
const otherNetwork = "Try another network, such as a phone's, or without a VPN.";
const inform = "Tell whoever gave you this test: only they can repair it.";
const askAdministrator = ({ domain, mediaPorts }: Place) =>
  `Ask whoever runs this network to allow ${domain}: 443/tcp, ${mediaPorts}.`;
const newLink = "Ask for a new link.";

/** What a test that got in on no way means. */
export function failureAdvice(failure: WayFailure, place: Place): Advice {
  return place.outside === "elsewhere" && isAboutServer(failure)
    ? elsewhere(place)
    : advices[failure](place);
}

/** Whether it helps to know what our site sees of the server. */
export function isAboutServer(failure: WayFailure): boolean {
  return failure === "unreachable" || failure === "not-livekit" || failure === "no-media";
}

/** With a CDN in front, pages and WebSockets may work, and media never does. */
function elsewhere({ domain }: Place): Advice {
  return {
    title: `The name ${domain} leads to another address than the server's.`,
    confidence: "certain",
    tester: [inform],
    owner: [
      "A CDN or another server has the name. Set its A record to the server's own address, and turn off a proxy at your DNS provider: media does not go through one.",
    ],
  };
}

const advices: Readonly<Record<WayFailure, (place: Place) => Advice>> = {
  offline: () => ({
    title: "This computer is not connected to the internet.",
    confidence: "certain",
    tester: ["Connect it, and start the test again."],
    owner: [],
  }),
  "unknown-key": () => ({
    title: "The server does not know the API key of this test's token.",
    confidence: "certain",
    tester: [newLink],
    owner: [
      "Copy the key again. On the server, run: sudo livekit-deploy credentials",
      "It may be the key of another server, or one that was rotated away.",
    ],
  }),
  "wrong-secret": () => ({
    title: "This test's token was signed with a wrong API secret.",
    confidence: "certain",
    tester: [newLink],
    owner: [
      "Copy key and secret again, to the last letter. On the server, run: sudo livekit-deploy credentials",
    ],
  }),
  "token-time": () => ({
    title: "The server takes this test's token for too old or too new.",
    confidence: "certain",
    tester: [newLink],
    owner: [
      "Make a new one. If it is refused too, compare the clocks: your computer's, and the server's with: timedatectl",
    ],
  }),
  "token-grant": () => ({
    title: "The server lets nobody join with this test's token.",
    confidence: "certain",
    tester: [newLink],
    owner: ["Make a new one. On the server, run: sudo livekit-deploy test-token"],
  }),
  "no-room": () => ({
    title: "The server makes no room for somebody who joins.",
    confidence: "certain",
    tester: [inform],
    owner: ["This deployment makes rooms by its API alone. Test it with your own back end."],
  }),
  duplicate: () => ({
    title: "Somebody else ran this test at the same moment, so it was interrupted.",
    confidence: "certain",
    tester: ["Run it again."],
    owner: ["Make one link for each place that is tested."],
  }),
  "not-forced": () => ({
    title: "The connection was lost while the test ran.",
    confidence: "unknown",
    tester: ["Run it again.", otherNetwork],
    owner: [doctor],
  }),
  "no-media": (place) => ({
    title: "LiveKit answers here, but sound and picture get through on no way.",
    confidence: "likely",
    tester: [otherNetwork, askAdministrator(place)],
    owner: [
      "Run the test from another network. If it fails there too, open the media ports in the provider's firewall.",
      place.hasTurnByTls
        ? "If only this network fails, TURN on port 443 has to help, and does not: give its name an A record of its own, without a CDN."
        : "If only this network fails, it allows no more than port 443, where this deployment's TURN is not offered. Turn on TURN by TLS in its options.",
      doctor,
    ],
  }),
  unreachable,
  "not-livekit": (place) =>
    place.outside === "livekit"
      ? {
          title: `Something in this network answers in place of ${place.domain}.`,
          confidence: "likely",
          tester: [
            "A proxy that opens encrypted connections breaks calls. Ask whoever runs this network to leave this name out of it.",
            otherNetwork,
          ],
          owner: ["Nothing is wrong with the server: our site gets LiveKit's answer there."],
        }
      : {
          title: `What answers at ${place.domain} is not a LiveKit server that takes calls.`,
          confidence: place.outside === "other" ? "certain" : "likely",
          tester: [inform],
          owner: [
            "Another server or a CDN may have the name: its A record must lead to your server alone.",
            "LiveKit may be starting, or have stopped. On the server, run: sudo livekit-deploy status",
            doctor,
          ],
        },
};

function unreachable(place: Place): Advice {
  const { domain } = place;
  switch (place.outside) {
    case "livekit":
      return {
        title: `This network does not let anybody reach ${domain}. Our site reaches it.`,
        confidence: "likely",
        tester: [otherNetwork, askAdministrator(place)],
        owner: ["Nothing is wrong with the server: our site gets LiveKit's answer there."],
      };
    case "starting":
      return {
        title: "The server is just starting.",
        confidence: "certain",
        tester: ["Run the test again in a minute."],
        owner: [],
      };
    case "certificate":
      return {
        title: `The server has no certificate that browsers accept for ${domain}.`,
        confidence: "certain",
        tester: [inform],
        owner: [
          "Caddy gets one when the name leads to the server and port 80 is open, or in the way that you chose.",
          doctor,
        ],
      };
    case "nothing":
      return {
        title: `Nothing answers at ${domain}, from here or from our site.`,
        confidence: "certain",
        tester: [inform],
        owner: ["Port 443 is closed in a firewall, or the server does not run.", doctor],
      };
    case "other":
      return {
        title: `The name ${domain} leads to something that is not LiveKit.`,
        confidence: "certain",
        tester: [inform],
        owner: [
          "Another server or a CDN has the name: its A record must lead to your server alone, without a proxy.",
          doctor,
        ],
      };
    case "no-address":
      return {
        title: `The name ${domain} leads to no address.`,
        confidence: "certain",
        tester: [inform],
        owner: ["Set its A record to the server's address, and wait until it answers."],
      };
    case "private":
      return {
        title: `The name ${domain} leads to an address that is not on the internet.`,
        confidence: "certain",
        tester: [`Only networks that know this address reach it. ${inform}`],
        owner: ["Set its A record to the server's public address."],
      };
    default:
      return {
        title: `This browser cannot reach ${domain}, and it does not say why.`,
        confidence: "unknown",
        tester: [
          `Open https://${domain} in a new tab. "Not found": the name leads nowhere. "Not private": no good certificate. "Refused" or too long: a firewall, or the server does not run.`,
          otherNetwork,
        ],
        owner: [doctor],
      };
  }
}
