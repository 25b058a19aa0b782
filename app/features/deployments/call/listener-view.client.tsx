import { useEffect, useRef, useState } from "react";
import { Button } from "~/ui/primitives/button";
import type { TestedServer } from "../test-room/tested-server";
import { FailureView, PathView } from "./call-parts.client";
import { type ListenerCall, type ListenerState, startListener } from "./listener.client";

/** The tab of a test call that listens to the one that speaks. */
export default function ListenerView({ id, server }: { id: string; server: TestedServer }) {
  const [state, setState] = useState<ListenerState>({ step: "waiting" });
  const call = useRef<ListenerCall>(undefined);
  const status = useRef<HTMLParagraphElement>(null);

  // The button that was pressed is gone: the keyboard goes on from here.
  useEffect(() => status.current?.focus(), []);

  useEffect(() => {
    const started = startListener({ id, ...server }, setState);
    call.current = started;
    return () => void started.leave();
  }, [id, server]);

  return (
    <div className="grid gap-6">
      <p
        ref={status}
        role="status"
        tabIndex={-1}
        className="justify-self-start text-lg font-strong"
      >
        {sentenceOf(state)}
      </p>
      {state.step === "failed" ? (
        <FailureView failure={state.failure} domain={server.domain} deployment={id} />
      ) : null}
      {state.step === "joined" ? (
        <>
          {state.isSilenced ? (
            <div>
              <Button onClick={() => call.current?.play()}>Play the sound</Button>
            </div>
          ) : null}
          <PathView path={state.path} />
        </>
      ) : null}
    </div>
  );
}

function sentenceOf(state: ListenerState): string {
  switch (state.step) {
    case "waiting":
      return "Waiting for a test call in another tab of this browser. Start it there.";
    case "connecting":
      return "Joining your server…";
    case "failed":
      return "This tab could not join the call.";
    case "joined":
      if (!state.hears) return "In the call. No sound has come yet.";
      return state.isSilenced
        ? "Sound comes from your server. The browser plays it after a press."
        : "You hear yourself: this sound comes from your server.";
  }
}
