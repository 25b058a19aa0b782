import { type FormEvent, useState } from "react";
import { useFetcher } from "react-router";
import { isFailure, type ReadFailure } from "~/http/read";
import { siteQuotas } from "~/platform/database/quotas";
import { atWorkspace, useConsoleBase } from "~/ui/console/console-path";
import { shortMomentOf } from "~/ui/dates";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { UserChange } from "../use-own-change";
import {
  type ConfigurationVersion,
  type OlderVersions,
  type UserView,
  userViewAddress,
} from "./own-view";

/** The kept versions, newest first, the older ones on demand. Each can be read and restored. */
export function Versions({ view, restore }: { view: UserView; restore: UserChange }) {
  const older = useOlderVersions(view);
  const [attempted, setAttempted] = useState(Number(restore.posted?.version ?? 0));
  const refusal = restore.outcome?.ok === false ? restore.outcome.message : undefined;
  if (older.versions.length === 0) return null;
  return (
    <section aria-labelledby="versions" className="mt-10">
      <h2 id="versions" className="text-xl">
        Versions
      </h2>
      <p className="mt-2 text-sm text-ink-soft">
        {`The newest ${siteQuotas.configurationVersions} are kept.`}
      </p>
      <ol className="mt-3 max-h-112 overflow-y-auto border-t border-line">
        {older.versions.map((version) => (
          <Version
            key={version.version}
            version={version}
            inForce={version.version === view.version}
            isSending={restore.isSending}
            refusal={version.version === attempted ? refusal : undefined}
            onRestore={(event) => {
              setAttempted(version.version);
              restore.onSubmit(event);
            }}
          />
        ))}
      </ol>
      {older.hasOlder ? (
        <form method="get" onSubmit={older.read} className="mt-4">
          <Button
            type="submit"
            variant="secondary"
            name="before"
            value={older.versions.at(-1)?.version}
            disabled={older.isReading}
          >
            {older.isReading ? "Reading…" : "Show older versions"}
          </Button>
        </form>
      ) : null}
      {older.failure ? (
        <Message kind="failure" className="mt-3">
          {older.failure}
        </Message>
      ) : null}
    </section>
  );
}

/** The newest versions, of `own`, and after them the older ones that were read on demand. */
function useOlderVersions(view: UserView) {
  const base = useConsoleBase();
  const { data, state, load } = useFetcher<OlderVersions | ReadFailure>();
  const [added, setTaken] = useState<OlderVersions>();
  const [olderListed, setShown] = useState<readonly ConfigurationVersion[]>([]);
  const isOlderThan = (list: readonly ConfigurationVersion[]) => (each: ConfigurationVersion) =>
    each.version < (list.at(-1)?.version ?? 1);
  const versions = [...view.versions, ...olderListed.filter(isOlderThan(view.versions))];
  if (data && !isFailure(data) && data !== added) {
    setTaken(data);
    // With all that are shown: a new version pushes the last of `own` out of it.
    setShown([...versions, ...data.versions.filter(isOlderThan(versions))]);
  }
  return {
    versions,
    hasOlder: (added ?? view).hasOlder,
    failure: data && isFailure(data) ? data.error : undefined,
    isReading: state !== "idle",
    read(event: FormEvent) {
      event.preventDefault();
      const before = String(versions.at(-1)?.version ?? 1);
      void load(atWorkspace(userViewAddress, base, { before }));
    },
  };
}

function Version({
  version,
  inForce,
  isSending,
  refusal,
  onRestore,
}: {
  version: ConfigurationVersion;
  inForce: boolean;
  isSending: boolean;
  refusal: string | undefined;
  onRestore: (event: FormEvent<HTMLFormElement>) => void;
}) {
  const { version: number, configuration, savedAt, savedBy, restoredFrom } = version;
  return (
    <li className="border-b border-line py-3 text-sm">
      <details open={refusal !== undefined}>
        <summary className="min-h-11 content-center">
          <span className="font-strong">Version {number}</span>
          <span>{`${inForce ? ", in force" : ""}${restoredFrom === null ? "" : `, version ${restoredFrom} again`}`}</span>
          <span className="block break-words text-ink-soft">
            {shortMomentOf(savedAt)}, {savedBy}
          </span>
        </summary>
        <pre className="mt-2 rounded-md bg-well p-3 break-words whitespace-pre-wrap">
          <code>{JSON.stringify(configuration, null, 2)}</code>
        </pre>
        {inForce ? null : (
          <form method="post" onSubmit={onRestore} className="mt-3">
            <input type="hidden" name="intent" value="restore" />
            <input type="hidden" name="version" value={number} />
            <Button type="submit" variant="secondary" disabled={isSending}>
              Restore version {number}
            </Button>
          </form>
        )}
        {refusal ? (
          <Message kind="failure" className="mt-3">
            {refusal}
          </Message>
        ) : null}
      </details>
    </li>
  );
}
