import {
  ConnectionError,
  ConnectionErrorReason,
  type Room,
  RoomEvent,
  type Track,
} from "livekit-client";
import {
  type CallFailure,
  noMedia,
  notUnderstood,
  refusedToken,
  unreachable,
} from "./call-failure";
import { type MediaPath, mediaPathOf } from "./media-path";

/** The server of a deployment, as a test call has to know it. */
export type CallServer = { domain: string; mediaPorts: string };

/** Joins a room. What is answered instead of throwing says why that failed. */
export async function joinRoom(
  room: Room,
  { domain, mediaPorts }: CallServer,
  token: string,
): Promise<CallFailure | undefined> {
  let isSignalled = false;
  room.once(RoomEvent.SignalConnected, () => {
    isSignalled = true;
  });
  try {
    await room.connect(`wss://${domain}`, token, { maxRetries: 0 });
  } catch (error) {
    if (!(error instanceof ConnectionError)) return notUnderstood(domain);
    if (error.reason === ConnectionErrorReason.NotAllowed) return refusedToken(error.message);
    if (isSignalled) return noMedia(mediaPorts);
    // The library asks by HTTPS why a WebSocket failed: these two say that nothing answered.
    const isSilent =
      error.reason === ConnectionErrorReason.ServerUnreachable ||
      error.reason === ConnectionErrorReason.Timeout;
    return isSilent ? unreachable(domain, navigator.onLine) : notUnderstood(domain);
  }
}

/** The way that a track's media takes now. */
export async function pathOf(track: Track): Promise<MediaPath | undefined> {
  const report = await track.getRTCStatsReport();
  return report && mediaPathOf(report.values());
}
