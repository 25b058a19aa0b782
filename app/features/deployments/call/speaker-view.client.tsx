import { type RefObject, useEffect, useRef, useState } from "react";
import { useConsoleBase } from "~/ui/console/console-path";
import { Button, DocumentLinkButton } from "~/ui/primitives/button";
import { CopyButton } from "~/ui/primitives/copy-button";
import { Message } from "~/ui/primitives/message";
import type { Credentials } from "../test-room/access-token.client";
import type { TestedServer } from "../test-room/tested-server";
import { deviceProblems } from "./call-failure";
import { FailureView, PathView } from "./call-parts.client";
import { type Sound, type SpeakerCall, type SpeakerState, startSpeaker } from "./speaker.client";

/** Marks the step "Connect" of a version as done, at the deployment's page. A mark that fails can be made by hand. */
function markConnected(page: string, version: number): void {
  const fields = { intent: "progress", step: "connect", done: "yes", version: String(version) };
  void fetch(page, {
    method: "POST",
    body: new URLSearchParams(fields),
    // The answer leads to the deployment's page, which nobody needs here.
    redirect: "manual",
    keepalive: true,
  }).catch(() => undefined);
}

const levelEveryMs = 100;

const sentences: Readonly<Record<SpeakerState["step"], string>> = {
  connecting: "Joining your server…",
  failed: "The call did not start.",
  interrupted: "The connection is interrupted. Trying again.",
  left: "You left the call.",
  lost: "The connection to your server was lost. Start the call again.",
  joined: "You are in a call on your own server.",
};

const soundLabels: Readonly<Record<Sound, string>> = {
  microphone: "Send my microphone",
  tone: "Send a test tone",
};

/** The tab of a test call that speaks: from joining to leaving. */
export default function SpeakerView({
  id,
  version,
  server,
  credentials,
  reportRunning,
}: {
  id: string;
  version: number;
  server: TestedServer;
  credentials: Credentials;
  reportRunning: (isRunning: boolean) => void;
}) {
  const [state, setState] = useState<SpeakerState>({ step: "connecting" });
  const call = useRef<SpeakerCall>(undefined);
  const status = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    const started = startSpeaker({ id, credentials, ...server }, (next) => {
      setState(next);
      reportRunning(!["failed", "left", "lost"].includes(next.step));
    });
    call.current = started;
    return () => void started.leave();
  }, [id, credentials, server, reportRunning]);

  const page = `${useConsoleBase()}/deployments/${id}`;
  const isHeard = state.step === "joined" && state.isHeard === true;
  useEffect(() => {
    if (isHeard) markConnected(page, version);
  }, [isHeard, page, version]);

  // What was pressed is gone or disabled now: the keyboard goes on from here.
  useEffect(() => {
    if (sentences[state.step]) status.current?.focus();
  }, [state.step]);

  return (
    <div className="grid gap-6">
      <p
        ref={status}
        role="status"
        tabIndex={-1}
        className="justify-self-start text-lg font-strong"
      >
        {sentences[state.step]}
      </p>
      {state.step === "failed" ? (
        <FailureView failure={state.failure} domain={server.domain} deployment={id} />
      ) : null}
      {state.step === "joined" ? (
        <>
          {state.deviceProblem ? (
            <Message kind="warning">{deviceProblems[state.deviceProblem]}</Message>
          ) : null}
          {state.sound ? (
            <Level
              label={state.sound === "tone" ? "Level of the tone" : "Level of your microphone"}
              call={call}
            />
          ) : null}
          <PathView path={state.path} />
          {state.sound ? <SecondTab isHeard={state.isHeard} /> : null}
          <div className="flex flex-wrap gap-3">
            {(["microphone", "tone"] as const).map((sound) => (
              <Button
                key={sound}
                variant="secondary"
                aria-pressed={state.sound === sound}
                // A disabled button would lose the keyboard's focus.
                aria-disabled={state.isSwitching}
                className="aria-pressed:border-signal aria-pressed:bg-signal-well aria-disabled:cursor-not-allowed aria-disabled:text-ink-soft"
                onClick={() => call.current?.speak(sound)}
              >
                {soundLabels[sound]}
              </Button>
            ))}
            <Button variant="danger" onClick={() => call.current?.leave()}>
              Leave the call
            </Button>
          </div>
        </>
      ) : null}
    </div>
  );
}

function Level({ label, call }: { label: string; call: RefObject<SpeakerCall | undefined> }) {
  const meter = useRef<HTMLMeterElement>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      if (meter.current) meter.current.value = call.current?.level() ?? 0;
    }, levelEveryMs);
    return () => clearInterval(timer);
  }, [call]);
  return (
    <label className="block text-sm">
      {label}
      <meter ref={meter} min={0} max={1} className="mt-1 block h-4 w-full max-w-prose" />
    </label>
  );
}

function SecondTab({ isHeard }: { isHeard: boolean | undefined }) {
  const address = `${location.origin}${location.pathname}?listen`;
  return (
    <div className="grid gap-3">
      {isHeard ? (
        <Message kind="success">
          The second tab hears you: your sound goes to your server and comes back.
        </Message>
      ) : (
        <p>Now hear yourself. Put on headphones, or the second tab disturbs the microphone.</p>
      )}
      <div className="flex flex-wrap items-center gap-x-4">
        <DocumentLinkButton href={address} target="_blank" rel="noreferrer">
          Open the second tab
        </DocumentLinkButton>
        <span className="inline-flex items-center text-sm text-ink-soft">
          or copy its link
          <CopyButton text={address} label="Copy the link of the second tab" />
        </span>
      </div>
    </div>
  );
}
