import { useState } from "react";
import { Link } from "react-router";
import { Button } from "~/components/button";
import { Message } from "~/components/message";
import { OwnStatistics } from "~/token-usage/own-statistics.client";
import { type Asked, useAsked } from "./ask.client";
import { ConfigurationForm } from "./configuration-form";
import { inWords } from "./moment";
import type { ConfigurationVersion, OwnView } from "./own-view";
import { ReadByAgent } from "./read-by-agent";
import { Tokens } from "./tokens.client";
import { useChange } from "./use-change.client";

type Voices = readonly { value: string; label: string }[];

/** The page of a customer: what is saved, its versions, the tokens and the usage. */
export default function OwnConfiguration({ voices }: { voices: Voices }) {
  const { asked, askAgain } = useAsked<OwnView>("/openai-config/own");
  const [told, setTold] = useState<string>();
  if (asked.state !== "there") return <NotThere asked={asked} onRetry={askAgain} />;
  const own = asked.body;
  const changed = async (message: string) => {
    await askAgain();
    setTold(message);
  };
  return (
    <>
      <div className="page pb-20">
        <div className="grid grid-cols-1 gap-x-16 gap-y-12 border-t border-line pt-10 lg:grid-cols-[7fr_5fr]">
          <SavedForm key={own.version} own={own} voices={voices} told={told} onSaved={changed} />
          <ReadByAgent configuration={own.configuration}>
            <Versions own={own} onRestored={changed} />
          </ReadByAgent>
        </div>
      </div>
      <OwnStatistics />
      <Tokens tokens={own.tokens} onChanged={askAgain} />
    </>
  );
}

function NotThere({
  asked,
  onRetry,
}: {
  asked: Exclude<Asked<OwnView>, { state: "there" }>;
  onRetry: () => void;
}) {
  return (
    <div className="page min-h-[60vh] pb-20">
      {asked.state === "waiting" ? (
        <p role="status" className="border-t border-line pt-10 text-ink-soft">
          Loading your configuration…
        </p>
      ) : (
        <>
          <Message kind="failure">{asked.message}</Message>
          <p className="mt-5">
            {asked.status === 401 ? (
              <Link to="/signin?next=/openai-config" className="underline underline-offset-4">
                Sign in
              </Link>
            ) : (
              <Button look="secondary" onClick={onRetry}>
                Try again
              </Button>
            )}
          </p>
        </>
      )}
    </div>
  );
}

function SavedForm({
  own,
  voices,
  told,
  onSaved,
}: {
  own: OwnView;
  voices: Voices;
  told: string | undefined;
  onSaved: (message: string) => void;
}) {
  const { outcome, sending, onSubmit } = useChange(({ message }) => onSaved(message));
  const refusal = outcome?.ok === false ? outcome : undefined;
  const [newest] = own.versions;
  return (
    <ConfigurationForm
      configuration={own.configuration}
      voices={voices}
      onSubmit={onSubmit}
      phase={sending ? "submitting" : "ready"}
      problems={refusal?.problems}
      failure={refusal?.message}
      success={sending || refusal ? undefined : told}
    >
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="version" value={refusal?.version ?? own.version} />
      <p className="text-sm text-ink-soft">
        {newest
          ? `Version ${newest.version}, saved ${inWords(newest.savedAt)} by ${newest.savedBy}. Your agents read it with their next request.`
          : "Nothing is saved yet: your agents read these defaults."}
      </p>
    </ConfigurationForm>
  );
}

function Versions({ own, onRestored }: { own: OwnView; onRestored: (message: string) => void }) {
  if (own.versions.length === 0) return null;
  return (
    <section aria-labelledby="versions" className="mt-10">
      <h2 id="versions" className="text-xl">
        Versions
      </h2>
      <ol className="mt-3 max-h-112 overflow-y-auto border-t border-line">
        {own.versions.map((version) => (
          <Version
            key={version.version}
            version={version}
            inForce={version.version === own.version}
            onRestored={onRestored}
          />
        ))}
      </ol>
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
            <Button type="submit" look="secondary" disabled={sending}>
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
