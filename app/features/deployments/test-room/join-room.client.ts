import {
  ConnectionError,
  ConnectionErrorReason,
  type Room,
  type RoomConnectOptions,
  RoomEvent,
} from "livekit-client";
import { type JoinFailure, tokenRefusal } from "./join-failure";

/** Joins a room at a deployment's domain. What is answered instead of throwing says why that failed. */
export async function joinRoom(
  room: Room,
  domain: string,
  token: string,
  options: RoomConnectOptions = {},
): Promise<JoinFailure | undefined> {
  let isSignalled = false;
  room.once(RoomEvent.SignalConnected, () => {
    isSignalled = true;
  });
  try {
    await room.connect(`wss://${domain}`, token, { maxRetries: 0, ...options });
  } catch (error) {
    if (!(error instanceof ConnectionError)) return "not-livekit";
    if (error.reason === ConnectionErrorReason.NotAllowed) return tokenRefusal(error.message);
    if (isSignalled) return "no-media";
    // The library asks by HTTPS why a WebSocket failed: these two say that nothing answered.
    const isSilent =
      error.reason === ConnectionErrorReason.ServerUnreachable ||
      error.reason === ConnectionErrorReason.Timeout;
    if (!isSilent) return "not-livekit";
    return navigator.onLine ? "unreachable" : "offline";
  }
}
