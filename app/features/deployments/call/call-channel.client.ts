/**
 * What the two tabs of a test call say to each other. The tab that listens gets a token of its own and never the
 * secret. It comes over a BroadcastChannel, which this site's pages in this browser share: an address with a token in
 * it would stay in the history, and be copied with the link.
 */
type CallMessage =
  | { kind: "started" | "ended" | "hears" }
  | { kind: "asks"; from: string }
  | { kind: "token"; to: string; token: string };

export type CallChannel = { post(message: CallMessage): void; close(): void };

export function openCallChannel(
  deployment: string,
  receive: (message: CallMessage) => void,
): CallChannel {
  const channel = new BroadcastChannel(`test call of ${deployment}`);
  channel.onmessage = ({ data }: MessageEvent<CallMessage>) => receive(data);
  return {
    post: (message) => channel.postMessage(message),
    close: () => channel.close(),
  };
}
