import { useRef, useState } from "react";
import { Link } from "react-router";
import { OwnStatistics } from "~/features/agents/usage/own-statistics.client";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { type AskFailure, useAsked } from "../ask.client";
import { useChange } from "../use-change.client";
import { ConfigurationForm } from "./configuration-form";
import { inWords } from "./moment";
import type { OwnView } from "./own-view";
import { ReadByAgent } from "./read-by-agent";
import { Tokens } from "./tokens.client";
import { Versions } from "./versions.client";
import { WayOn } from "./way-on.client";

type Voices = readonly { value: string; label: string }[];

/** The page of a customer: what is saved, its versions, the tokens and the usage. */
export default function OwnConfiguration({ voices }: { voices: Voices }) {
  const { body: own, failure, askAgain } = useAsked<OwnView>("/openai-config/own");
  const [told, setTold] = useState<string>();
  const [restores, setRestores] = useState(0);
  const isRestored = useRef(false);
  // Only a restored version replaces what stands in the form, once it is read.
  const readAgain = async () => {
    if ((await askAgain()) && isRestored.current) {
      isRestored.current = false;
      setRestores((count) => count + 1);
    }
  };
  const saved = async (message: string) => {
    await readAgain();
    setTold(message);
  };
  const restored = (message: string) => {
    isRestored.current = true;
    return saved(message);
  };
  const notRead = failure ? <NotRead failure={failure} onRetry={readAgain} /> : null;
  if (!own) {
    return (
      <div className="page min-h-[60vh] pb-20">
        {notRead ?? (
          <p role="status" className="border-t border-line pt-10 text-ink-soft">
            Loading your configuration…
          </p>
        )}
      </div>
    );
  }
  return (
    <>
      {notRead ? <div className="page pb-10">{notRead}</div> : null}
      <div className="page pb-20">
        <div className="grid grid-cols-1 gap-x-16 gap-y-12 border-t border-line pt-10 lg:grid-cols-[7fr_5fr]">
          <SavedForm
            key={restores}
            own={own}
            voices={voices}
            told={told}
            onSaved={saved}
            onOutdated={readAgain}
          />
          <ReadByAgent configuration={own.configuration}>
            <Versions own={own} onRestored={restored} />
          </ReadByAgent>
        </div>
      </div>
      <OwnStatistics />
      <Tokens tokens={own.tokens} onChanged={readAgain} />
    </>
  );
}

function NotRead({ failure, onRetry }: { failure: AskFailure; onRetry: () => void }) {
  return (
    <>
      <Message kind="failure">{failure.message}</Message>
      <div className="mt-5">
        {failure.status === 401 ? (
          <Link to="/signin?next=/openai-config" className="underline underline-offset-4">
            Sign in
          </Link>
        ) : failure.status === 403 ? (
          <WayOn missing="second-factor" />
        ) : (
          <Button variant="secondary" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </>
  );
}

function SavedForm({
  own,
  voices,
  told,
  onSaved,
  onOutdated,
}: {
  own: OwnView;
  voices: Voices;
  told: string | undefined;
  onSaved: (message: string) => void;
  onOutdated: () => void;
}) {
  // What is read again beside the form must not change what is typed, nor what it is saved over.
  const [shown] = useState(own.configuration);
  const [over, setOver] = useState(own.version);
  const { outcome, sending, onSubmit } = useChange(
    ({ message, version }) => {
      if (version !== undefined) setOver(version);
      onSaved(message);
    },
    ({ status, version }) => {
      if (version !== undefined) setOver(version);
      if (status === 409) onOutdated();
    },
  );
  const refusal = outcome?.ok === false ? outcome : undefined;
  const [newest] = own.versions;
  return (
    <ConfigurationForm
      configuration={shown}
      voices={voices}
      onSubmit={onSubmit}
      phase={sending ? "submitting" : "ready"}
      problems={refusal?.problems}
      failure={refusal?.message}
      success={sending || refusal ? undefined : told}
    >
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="version" value={over} />
      <p className="text-sm text-ink-soft">
        {newest
          ? `Version ${newest.version}, saved ${inWords(newest.savedAt)} by ${newest.savedBy}. Your agents read it with their next request.`
          : "Nothing is saved yet: your agents read these defaults."}
      </p>
    </ConfigurationForm>
  );
}
