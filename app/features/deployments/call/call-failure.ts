import type { JoinFailure } from "../test-room/join-failure";

/** What went wrong in a test call, and what to do about it, in order. */
export type CallFailure = { title: string; steps: readonly string[]; showsAddress?: true };

const doctor =
  "On the server, run: sudo livekit-deploy doctor. It looks at all of this from there.";

type Place = { domain: string; mediaPorts: string };

const failures: Readonly<Record<JoinFailure, (place: Place) => CallFailure>> = {
  "unknown-key": () => ({
    title: "Your server does not know this API key.",
    steps: [
      "Copy it again. On the server, run: sudo livekit-deploy credentials",
      "It may be the key of another server, or one that was rotated away.",
    ],
  }),
  "token-time": () => ({
    title: "Your server takes this token for too old or too new.",
    steps: ["Set the clock of this computer, and look at the server's with: timedatectl"],
  }),
  "token-grant": () => ({
    title: "Your server lets nobody join with this token.",
    steps: ["Load this page again, and start the call once more."],
  }),
  "no-room": () => ({
    title: "Your server makes no room for somebody who joins.",
    steps: ["This deployment makes rooms by its API alone. Test it with your own back end."],
  }),
  "wrong-secret": () => ({
    title: "The API secret does not belong to this API key.",
    steps: [
      "Copy both again. On the server, run: sudo livekit-deploy credentials",
      "Look for a space or a missing letter at the end of the secret.",
    ],
  }),
  offline: () => ({
    title: "This computer is not connected to the internet.",
    steps: ["Connect it, and start the call again."],
  }),
  unreachable: ({ domain }) => ({
    title: `Your browser cannot reach ${domain}.`,
    showsAddress: true,
    steps: [
      "Not found: the name does not lead to your server yet. Set its A record, and wait until it answers.",
      "Not private, or another certificate problem: Caddy has no certificate yet. It gets one when the name leads to the server and port 80 is open, or in the way that you chose.",
      "Refused, or too long: port 443 is closed in a firewall, or the server does not run.",
      doctor,
    ],
  }),
  "no-media": ({ mediaPorts }) => ({
    title: "LiveKit answers, but sound gets through on no way.",
    steps: [
      `Open these ports in the provider's firewall: ${mediaPorts}.`,
      "If only this network fails, it blocks UDP, and TURN on port 443 has to help: the TURN name needs its own A record, and no CDN in front.",
      doctor,
    ],
  }),
  // Something else answers at the address, or LiveKit in a way that its client does not understand.
  "not-livekit": ({ domain }) => ({
    title: `What answers at ${domain} is not a LiveKit server that takes calls.`,
    steps: [
      "Look whether another server or a CDN has the name: its A record must lead to your server alone.",
      "LiveKit may be starting, or have stopped. On the server, run: sudo livekit-deploy status",
      doctor,
    ],
  }),
};

export function callFailure(failure: JoinFailure, place: Place): CallFailure {
  return failures[failure](place);
}

export type DeviceProblem = "denied" | "none" | "busy" | "other";

/** Why there is no microphone. A test tone needs none. */
export const deviceProblems: Readonly<Record<DeviceProblem, string>> = {
  denied:
    "The browser may not use the microphone. Allow it by the sign beside the address, or send a test tone.",
  none: "This computer has no microphone. Plug one in, or send a test tone.",
  busy: "Another program uses the microphone. End it, or send a test tone.",
  other: "The microphone could not be started. Send a test tone instead.",
};
