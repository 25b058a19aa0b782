import type { TestedServer } from "../test-room/tested-server";
import { type Advice, failureAdvice, type Outside } from "./failure-advice";
import type { TestResult } from "./result";

/** What a test means: the cause in a sentence, how sure that is, and what who can do about it. */
export type Verdict = Advice & { grade: "good" | "limited" | "failed" };

type Place = TestedServer & {
  /** What our site saw of the server at the same time, where it had a look. */
  outside?: Outside | undefined;
};

const allowUdp = ({ mediaPorts }: TestedServer) =>
  `Whoever runs this network can allow it: out to the server, ${mediaPorts}.`;

/** What somebody should know and do after a test, by its three results. */
export function verdictOf({ usual, tcp, relay }: TestResult, place: Place): Verdict {
  if (usual.state === "skipped") return { grade: "failed", ...failureAdvice("unreachable", place) };
  if (usual.state === "failed") {
    return { grade: "failed", ...failureAdvice(usual.failure, place) };
  }
  const isTcpOpen = tcp.state === "connected" && tcp.by === "tcp";
  const owner = relay.state === "connected" ? [] : noRelay(place);
  switch (usual.by) {
    case "udp":
      return {
        grade: "good",
        confidence: "certain",
        title: "Calls take the best way here: straight to the server, over UDP.",
        tester: ["Nothing needs to be done in this network."],
        owner: [...owner, ...(isTcpOpen ? [] : [noTcp])],
      };
    case "tcp":
      return {
        grade: "limited",
        confidence: "likely",
        title: "Calls work here, straight to the server over TCP: UDP does not get through.",
        tester: ["Sound and picture may stutter when the network is busy.", allowUdp(place)],
        owner: [
          "Run the test from another network. If UDP fails there too, open its ports in the provider's firewall.",
          ...owner,
        ],
      };
    case "relay-udp":
      return {
        grade: "good",
        confidence: "certain",
        title: "Calls work here: they are relayed by the server's TURN, over UDP.",
        tester: ["Nothing needs to be done in this network."],
        owner: [
          `Run the test from another network. If calls are relayed there too, open the media ports in the provider's firewall: ${place.mediaPorts}.`,
        ],
      };
    default:
      return {
        grade: "limited",
        confidence: isTcpOpen ? "certain" : "likely",
        title: isTcpOpen
          ? "Calls work here, relayed by the server's TURN over TCP: this network lets nothing faster through."
          : "Calls work here, but this network allows little more than port 443: they are relayed by the server's TURN.",
        tester: ["Sound and picture may stutter when the network is busy.", allowUdp(place)],
        owner: [
          "Nothing is wrong with the server if other networks get the best way: TURN does here what it is for.",
        ],
      };
  }
}

const noTcp =
  "TCP on port 7881 gave no way. Open it in the provider's firewall: some networks allow nothing else.";

function noRelay({ hasTurnByTls }: TestedServer): string[] {
  return [
    hasTurnByTls
      ? "The server's TURN gave no way. People in networks that allow only port 443 get no call: give the TURN name an A record of its own, without a CDN, and run on the server: sudo livekit-deploy doctor"
      : "The server's TURN gave no way, and it is not offered on port 443: people in networks that allow nothing else get no call. Turn on TURN by TLS in the deployment's options.",
  ];
}
