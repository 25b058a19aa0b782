import { useEffect, useState } from "react";
import { Section } from "~/ui/console/section";
import { Moment } from "~/ui/moment";
import { More } from "../page/more";
import { PastedTokenForm } from "../page/pasted-token-form";
import type { AgentRecording, LogLine, TalkLine } from "./agent-recording";
import {
  fetchRecording,
  fetchSound,
  type RecordingFailure,
  silenceMs,
} from "./read-recording.client";

type Target = { domain: string; job: string };
type SoundOutcome = Awaited<ReturnType<typeof fetchSound>>;

/** What was said, read by this browser from the customer's server with a token that was made there. */
export function Recording({ domain, job }: Target) {
  const [recording, setRecording] = useState<AgentRecording>();
  const [sound, setSound] = useState<SoundOutcome>();
  useEffect(() => () => (sound?.ok ? URL.revokeObjectURL(sound.answer) : undefined), [sound]);

  // Both at once: the token is good for a minute, in which both have to begin.
  async function read(typed: string): Promise<string | undefined> {
    const token = typed.trim();
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return "This is not a whole token.";
    const download = fetchSound(domain, job, token);
    const outcome = await fetchRecording(domain, job, token);
    if (!outcome.ok) return failureWords(outcome.failure, domain);
    setRecording(outcome.answer);
    setSound(await download);
  }

  if (!recording) {
    return (
      <PastedTokenForm
        command={`sudo livekit-deploy insights token ${job}`}
        lifetime="one minute"
        action="Read it"
        pending="Reading…"
        take={read}
      />
    );
  }
  return (
    <>
      <Section id="sound" title="Sound">
        {recording.hasAudio ? (
          <Sound outcome={sound} domain={domain} />
        ) : (
          <p>No sound was recorded.</p>
        )}
      </Section>
      <Section id="talk" title="What was said">
        {recording.talk.length > 0 ? (
          <Talk lines={recording.talk} />
        ) : (
          <p>Nothing was said, or the agent keeps its transcript to itself.</p>
        )}
      </Section>
      <Section id="logs" title="The agent's log">
        <More summary={`${recording.logs.length} lines`}>
          <Logs lines={recording.logs} />
        </More>
      </Section>
    </>
  );
}

function Sound({ outcome, domain }: { outcome: SoundOutcome | undefined; domain: string }) {
  if (!outcome) return <p role="status">The sound is coming. An hour of it is about 40 MB.</p>;
  if (outcome.ok) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the transcript stands below.
      <audio controls src={outcome.answer} className="w-full max-w-prose" />
    );
  }
  return (
    <p>{`The sound did not come. ${failureWords(outcome.failure, domain)} Reload this page to read it again.`}</p>
  );
}

function Talk({ lines }: { lines: readonly TalkLine[] }) {
  return (
    <ol className="border-t border-line">
      {lines.map(({ at, who, text, isFailure }, number) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal, and none moves.
          key={number}
          className="grid gap-x-6 border-b border-line py-2.5 text-sm sm:grid-cols-[12rem_1fr]"
        >
          <span className="text-ink-soft">
            <span className="block font-medium wrap-anywhere">{who}</span>
            {at === undefined ? null : <Moment at={new Date(at).toISOString()} />}
          </span>
          <span className={isFailure ? "text-failure wrap-anywhere" : "wrap-anywhere"}>{text}</span>
        </li>
      ))}
    </ol>
  );
}

function Logs({ lines }: { lines: readonly LogLine[] }) {
  if (lines.length === 0) return <p>The agent wrote none.</p>;
  return (
    <pre className="font-mono text-xs whitespace-pre-wrap wrap-anywhere">
      {lines
        .map(
          ({ at, severity, logger, body }) =>
            `${new Date(at).toISOString()} ${severity} ${logger}: ${body}`,
        )
        .join("\n")}
    </pre>
  );
}

function failureWords(failure: RecordingFailure, domain: string): string {
  switch (failure) {
    case "refused":
      return "Your server refuses this token: it has ended, or is of another session. Make a new one.";
    case "missing":
      return "Your server does not have this session any more: its days are over, or its disk limit was reached.";
    case "offline":
      return "This browser is offline. Try again when it is not.";
    case "slow":
      return `${domain} sent nothing for ${silenceMs / 1_000} seconds. Try again, with a new token.`;
    case "unreadable":
      return "Your server answered something else than a recording. Apply the newest files to it.";
    case "unreachable":
      return `This browser does not reach ${domain}, or agent insights are not on there: sudo livekit-deploy insights`;
  }
}
