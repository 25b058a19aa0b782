import { useEffect, useState } from "react";
import { useFetcher } from "react-router";
import { OwnStatistics } from "~/features/agents/usage/own-statistics.client";
import type { ReadFailure } from "~/http/read-failure";
import { useRead } from "~/http/use-read";
import { shortMomentOf } from "~/ui/dates";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import { useOwnChange } from "../use-own-change.client";
import { ConfigurationForm } from "./configuration-form";
import { MissingProof } from "./missing-proof.client";
import { type OwnView, ownAddress } from "./own-view";
import { ReadByAgent } from "./read-by-agent";
import { Tokens } from "./tokens.client";
import { Versions } from "./versions.client";

type Voices = readonly { value: string; label: string }[];

/** The page of a customer: what is saved, its versions, the tokens and the usage. */
export default function OwnConfiguration({ voices }: { voices: Voices }) {
  const {
    value: own,
    failure,
    readAgain,
  } = useRead(useFetcher<OwnView | ReadFailure>(), ownAddress);
  const restore = useOwnChange();
  const restored = restore.outcome?.ok ? restore.outcome : undefined;
  // A restored version replaces what is in the form, once it was read. Nothing else does.
  const [restoredInForm, setRestoredInForm] = useState<number>();
  const isRead = own && restored?.version !== undefined && own.version >= restored.version;
  if (isRead && restoredInForm !== restored.version) setRestoredInForm(restored.version);
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
          <SavedForm key={restoredInForm} own={own} voices={voices} restored={restored?.message} />
          <ReadByAgent configuration={own.configuration}>
            <Versions own={own} restore={restore} />
          </ReadByAgent>
        </div>
      </div>
      <OwnStatistics />
      <Tokens tokens={own.tokens} />
    </>
  );
}

function NotRead({ failure, onRetry }: { failure: ReadFailure; onRetry: () => void }) {
  return (
    <>
      <Message kind="failure">{failure.error}</Message>
      <div className="mt-5">
        {failure.status === 401 ? (
          <TextLink to="/signin?next=/openai-config">Sign in</TextLink>
        ) : failure.status === 403 ? (
          <MissingProof missing="second-factor" />
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
  restored,
}: {
  own: OwnView;
  voices: Voices;
  /** The sentence about the version that was restored last. */
  restored: string | undefined;
}) {
  // A later reading of `own` must change neither what was typed nor the version that a save replaces.
  const [initial] = useState(own.configuration);
  const [replaced, setReplaced] = useState(own.version);
  const { outcome, isSending, onSubmit } = useOwnChange();
  useEffect(() => {
    if (outcome?.version !== undefined) setReplaced(outcome.version);
  }, [outcome]);
  const refusal = outcome?.ok === false ? outcome : undefined;
  const [newest] = own.versions;
  return (
    <ConfigurationForm
      configuration={initial}
      voices={voices}
      onSubmit={onSubmit}
      phase={isSending ? "submitting" : "ready"}
      problems={refusal?.problems}
      failure={refusal?.message}
      success={isSending || refusal ? undefined : (outcome?.message ?? restored)}
    >
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="version" value={replaced} />
      <p className="text-sm text-ink-soft">
        {newest
          ? `Version ${newest.version}, saved ${shortMomentOf(newest.savedAt)} by ${newest.savedBy}. Your agents read it with their next request.`
          : "Nothing is saved yet: your agents read these defaults."}
      </p>
    </ConfigurationForm>
  );
}
