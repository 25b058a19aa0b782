import type { ChannelView } from "./channel-view";

type Warning = {
  words: string;
  /** Whether no message reaches anybody. */
  reachesNobody: boolean;
};

/** What is wrong with all channels together: a message that nobody gets wakes nobody. */
export function channelWarning(channels: readonly ChannelView[]): Warning | undefined {
  const open = channels.filter(({ failed }) => !failed?.isOver);
  if (open.length === 0) {
    const words = "Nobody is told when a server is down. Add a channel.";
    return { words, reachesNobody: true };
  }
  const working = open.filter(({ failed }) => !failed);
  if (working.length === 0) {
    const words =
      "The last message arrived at no channel. Nobody may learn that a server is down. Send a test, or add a channel.";
    return { words, reachesNobody: true };
  }
  if (!open.some(({ turn }) => turn === "first")) {
    const words = "Nobody is told at once: every channel waits ten minutes.";
    return { words, reachesNobody: false };
  }
  if (working.length > 1) return;
  const words =
    open.length === 1
      ? "Only one channel is told. If that message does not arrive, nobody learns that a server is down."
      : "Only one channel works. If a message does not arrive there, nobody learns that a server is down.";
  return { words, reachesNobody: false };
}
