import { useState } from "react";
import { siteQuotas } from "~/platform/database/quotas";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { ask } from "../ask.client";
import { useChange } from "../use-change.client";
import { inWords } from "./moment";
import type { ConfigurationVersion, OlderVersions, OwnView } from "./own-view";

/** Every version that is kept, the newest first and older ones on demand, each to look at and to restore. */
export function Versions({
  own,
  onRestored,
}: {
  own: OwnView;
  onRestored: (message: string) => void;
}) {
  const [older, setOlder] = useState<OlderVersions>();
  const [failure, setFailure] = useState<string>();
  const [reading, setReading] = useState(false);
  const lastOfOwn = own.versions.at(-1)?.version ?? 1;
  const versions = [
    ...own.versions,
    ...(older?.versions ?? []).filter(({ version }) => version < lastOfOwn),
  ];
  const last = versions.at(-1)?.version ?? 1;
  const { hasOlder } = older ?? own;
  if (versions.length === 0) return null;

  async function readOlder() {
    if (reading) return;
    setReading(true);
    const answer = await ask<OlderVersions>(`/openai-config/own?before=${last}`);
    setReading(false);
    setFailure(answer.failure?.message);
    // With those that are shown: what a new version pushes out of the newest is still here then.
    if (answer.body) {
      const { hasOlder } = answer.body;
      setOlder({ versions: [...versions, ...answer.body.versions], hasOlder });
    }
  }
  return (
    <section aria-labelledby="versions" className="mt-10">
      <h2 id="versions" className="text-xl">
        Versions
      </h2>
      <p className="mt-2 text-sm text-ink-soft">
        {`The newest ${siteQuotas.configurationVersions} are kept.`}
      </p>
      <ol className="mt-3 max-h-112 overflow-y-auto border-t border-line">
        {versions.map((version) => (
          <Version
            key={version.version}
            version={version}
            inForce={version.version === own.version}
            onRestored={onRestored}
          />
        ))}
      </ol>
      {hasOlder ? (
        <Button variant="secondary" disabled={reading} onClick={readOlder} className="mt-4">
          {reading ? "Reading…" : "Show older versions"}
        </Button>
      ) : null}
      {failure ? (
        <Message kind="failure" className="mt-3">
          {failure}
        </Message>
      ) : null}
    </section>
  );
}

function Version({
  version,
  inForce,
  onRestored,
}: {
  version: ConfigurationVersion;
  inForce: boolean;
  onRestored: (message: string) => void;
}) {
  const { outcome, sending, onSubmit } = useChange(({ message }) => onRestored(message));
  const { version: number, configuration, savedAt, savedBy, restoredFrom } = version;
  return (
    <li className="border-b border-line py-3 text-sm">
      <details>
        <summary className="min-h-11 content-center">
          <span className="font-strong">Version {number}</span>
          {inForce ? ", in force" : ""}
          {restoredFrom === null ? "" : `, version ${restoredFrom} again`}
          <span className="block break-words text-ink-soft">
            {inWords(savedAt)}, {savedBy}
          </span>
        </summary>
        <pre className="mt-2 rounded-md bg-well p-3 break-words whitespace-pre-wrap">
          <code>{JSON.stringify(configuration, null, 2)}</code>
        </pre>
        {inForce ? null : (
          <form onSubmit={onSubmit} className="mt-3">
            <input type="hidden" name="intent" value="restore" />
            <input type="hidden" name="version" value={number} />
            <Button type="submit" variant="secondary" disabled={sending}>
              Restore version {number}
            </Button>
          </form>
        )}
        {outcome?.ok === false ? (
          <Message kind="failure" className="mt-3">
            {outcome.message}
          </Message>
        ) : null}
      </details>
    </li>
  );
}
