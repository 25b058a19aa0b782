import { useConsoleBase } from "~/ui/console/console-path";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { CallFailure } from "./call-failure";
import type { MediaPath } from "./media-path";

/** What failed, and what to do about it in order. What was typed for the call stays in this tab. */
export function FailureView({
  failure,
  domain,
  deployment,
}: {
  failure: CallFailure;
  domain: string;
  /** The id of the one that a question would be about. */
  deployment: string;
}) {
  const base = useConsoleBase();
  return (
    <Message kind="failure">
      <p className="font-strong">{failure.title}</p>
      {failure.showsAddress ? (
        <>
          <TextLink to={`https://${domain}`} target="_blank" rel="noreferrer" variant="standalone">
            Open https://{domain} in a new tab
          </TextLink>
          <p>What the browser says there tells the cause:</p>
        </>
      ) : null}
      <ul className="mt-2 grid list-disc gap-1 pl-5">
        {failure.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
      <p className="mt-2">
        Still failing?{" "}
        <TextLink
          to={`${base}/support?deployment=${deployment}`}
          target="_blank"
          rel="noreferrer"
          variant="standalone"
        >
          Ask us in a new tab
        </TextLink>
      </p>
    </Message>
  );
}

/** Which way media takes, from where, and how long a packet is on its way there and back. */
export function PathView({ path }: { path: MediaPath | undefined }) {
  if (!path) return null;
  return (
    <>
      <dl className="grid gap-x-8 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
        <dt className="text-ink-soft">Way of the sound</dt>
        <dd>{path.way}</dd>
        <dt className="text-ink-soft">Address of the server</dt>
        <dd className="font-mono break-all">{path.address}</dd>
        {path.roundTripMs === undefined ? null : (
          <>
            <dt className="text-ink-soft">Round trip</dt>
            <dd className="tabular-nums">{path.roundTripMs} ms</dd>
          </>
        )}
      </dl>
      {path.reason ? <p className="text-sm text-ink-soft">{path.reason}</p> : null}
    </>
  );
}
