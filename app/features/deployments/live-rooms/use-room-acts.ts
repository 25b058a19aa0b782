import { useEffect, useEffectEvent, useState } from "react";
import { useFetcher } from "react-router";
import { callOf, confirmWords, doneWords, type NoteAnswer, noteOf, type RoomAct } from "./room-act";
import { failureWords } from "./room-failure";
import { callRoomService } from "./room-service.client";
import type { LiveRooms } from "./use-live-rooms";

type ActState =
  | { step: "none" }
  | { step: "confirming" | "noting" | "acting"; act: RoomAct }
  | { step: "failed"; act: RoomAct; message: string }
  | { step: "done"; message: string };

export type RoomActs = ReturnType<typeof useRoomActs>;

/** An act from the press to its outcome: confirmed where something is lost, then noted, then done at the server itself. */
export function useRoomActs(domain: string, { token, readAgain }: LiveRooms) {
  const [state, setState] = useState<ActState>({ step: "none" });
  const noting = useFetcher<NoteAnswer>();

  function order(act: RoomAct): void {
    setState({ step: "noting", act });
    void noting.submit(noteOf(act), { method: "post" });
  }

  const answered = useEffectEvent(async (answer: NoteAnswer) => {
    if (state.step !== "noting") return;
    const { act } = state;
    if (!answer.isNoted) return setState({ step: "failed", act, message: answer.message });
    if (!token) {
      const message = `${failureWords("token-ended", domain).title} Nothing was done.`;
      return setState({ step: "failed", act, message });
    }
    setState({ step: "acting", act });
    const { method, body } = callOf(act);
    const outcome = await callRoomService(domain, token, method, body);
    readAgain();
    if (outcome.ok || outcome.failure === "gone") {
      setState({ step: "done", message: doneWords(act, !outcome.ok) });
    } else {
      const { title } = failureWords(outcome.failure, domain);
      setState({ step: "failed", act, message: title });
    }
  });
  const answer = noting.data;
  useEffect(() => {
    if (answer) void answered(answer);
  }, [answer]);

  return {
    state,
    isBusy: state.step === "noting" || state.step === "acting",
    begin: (act: RoomAct) =>
      confirmWords(act) ? setState({ step: "confirming", act }) : order(act),
    order,
    close: () => setState({ step: "none" }),
  };
}
