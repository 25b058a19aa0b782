import { type CallFacts, comeback, type Explanation, minuteMs } from "./facts";

// What LiveKit itself gave as the reason: of this nothing is guessed.

/** `about`: what else one has to know of it. */
type Words = Pick<Explanation, "title" | "next"> & { about?: string };

const words: Readonly<Record<string, Words>> = {
  SERVER_SHUTDOWN: {
    title: "LiveKit was stopped on the server, which ended this call.",
    about: "Clients of LiveKit come back by themselves once it runs again.",
    next: [
      "Restart and update by `sudo livekit-deploy` without `--now`: both wait for a quiet moment first, and cut calls off only after the longest wait.",
    ],
  },
  PARTICIPANT_REMOVED: {
    title: "This participant was removed from the room.",
    about: "Your back end did it, or a member in live rooms.",
    next: ["Look into the log of your back end, and into the audit log here."],
  },
  ROOM_DELETED: {
    title: "The room was ended for everybody.",
    about: "Your back end did it, or a member in live rooms.",
    next: ["Look into the log of your back end, and into the audit log here."],
  },
  ROOM_CLOSED: {
    title: "LiveKit closed the room.",
    about:
      "It does so when only programs, such as agents and recorders, are left in it, or nobody.",
    next: [],
  },
  DUPLICATE_IDENTITY: {
    title: "The same identity joined again, and that ended this call.",
    about: "LiveKit lets each identity into a room once.",
    next: ["Give each tab and each device an identity of its own in the token."],
  },
  USER_UNAVAILABLE: {
    title: "Nobody answered the telephone.",
    about: "The number was called, and rang or was busy. Nothing is wrong with the server.",
    next: [],
  },
  USER_REJECTED: {
    title: "The telephone call was refused.",
    about: "Whoever was called, or their provider, refused it. Nothing is wrong with the server.",
    next: [],
  },
  SIP_TRUNK_FAILURE: {
    title: "The SIP trunk failed.",
    next: [
      "Look at the trunk's provider whether it takes calls, and at its credentials. On the server: `sudo livekit-deploy logs sip`",
    ],
  },
  AGENT_ERROR: {
    title: "The agent failed, and left because of it.",
    next: [
      "The agent's own log says why. On the server, if it runs there: `sudo livekit-deploy logs agent`",
    ],
  },
};

/** Undefined where LiveKit gave no reason, or one that says how a connection ended and not why. */
export function saidCause(facts: CallFacts): Explanation | undefined {
  const { participant, changes = [] } = facts;
  const { reason, leftAt, isAborted, isAssumed } = participant;
  const said = Object.hasOwn(words, reason) ? words[reason] : undefined;
  if (!said || leftAt === undefined || isAssumed || isAborted) return;
  const { about, ...rest } = said;
  const because = [`LiveKit gave this reason when the participant left: ${reason}.`];
  if (about) because.push(about);
  const restart = changes.find(
    ({ code, at }) =>
      (code === "node" || code === "boot") &&
      at >= leftAt - 2 * minuteMs &&
      at <= leftAt + 15 * minuteMs,
  );
  if (reason === "SERVER_SHUTDOWN" && restart) {
    because.push(
      restart.code === "boot"
        ? "The machine booted shortly after."
        : "LiveKit started anew shortly after.",
    );
  }
  if (reason === "DUPLICATE_IDENTITY" && comeback(facts)) {
    because.push("A participant of the same identity joined at that moment.");
  }
  return { code: `said.${reason}`, confidence: "certain", because, ...rest };
}
