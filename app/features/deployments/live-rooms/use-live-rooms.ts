import { useCallback, useEffect, useRef, useState } from "react";
import type { RoomFailure } from "./room-failure";
import { type Reading, readRooms } from "./room-service.client";
import type { RoomsToken } from "./rooms-token";

const pauseMs = 5_000;

export type LiveRooms = ReturnType<typeof useLiveRooms>;

/**
 * The rooms of a server for as long as a token is good, read every few seconds while somebody looks. The token is in this
 * page's memory alone, and let go of when it ends.
 */
export function useLiveRooms(domain: string) {
  const [token, setToken] = useState<RoomsToken>();
  const [reading, setReading] = useState<Reading & { at: string }>();
  const [failure, setFailure] = useState<RoomFailure>();
  const again = useRef<() => void>(undefined);

  useEffect(() => {
    if (!token) return;
    let isCurrent = true;
    let pause: ReturnType<typeof setTimeout> | undefined;
    let isReading = false;

    function end() {
      setToken(undefined);
      setFailure("token-ended");
    }
    async function read(from: RoomsToken) {
      clearTimeout(pause);
      if (isReading) return;
      isReading = true;
      const outcome = await readRooms(domain, from);
      isReading = false;
      if (!isCurrent) return;
      if (outcome.ok) {
        setReading({ ...outcome.answer, at: new Date().toISOString() });
        setFailure(undefined);
      } else if (isOfToken(outcome.failure)) {
        setToken(undefined);
        setFailure(outcome.failure);
        return;
      } else {
        setFailure(outcome.failure);
      }
      if (document.visibilityState === "visible") pause = setTimeout(() => read(from), pauseMs);
    }
    const look = () => {
      if (document.visibilityState === "visible") void read(token);
      else clearTimeout(pause);
    };
    again.current = look;
    const ending = setTimeout(end, Math.max(0, token.endsAt - Date.now()));
    const listening = new AbortController();
    document.addEventListener("visibilitychange", look, listening);
    window.addEventListener("online", look, listening);
    look();
    return () => {
      isCurrent = false;
      clearTimeout(pause);
      clearTimeout(ending);
      listening.abort();
    };
  }, [domain, token]);

  const open = useCallback((next: RoomsToken) => {
    setFailure(undefined);
    setToken(next);
  }, []);
  const readAgain = useCallback(() => again.current?.(), []);
  return { token, reading, failure, open, readAgain };
}

/** Whether another try with the same token is of no use. */
function isOfToken(failure: RoomFailure): boolean {
  return ["token-ended", "token-grant", "unknown-key", "wrong-secret"].includes(failure);
}
