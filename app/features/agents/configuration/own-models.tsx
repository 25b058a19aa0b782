import { useEffect, useState } from "react";
import { shortMomentOf } from "~/ui/dates";
import { useOwnChange } from "../use-own-change";
import { checkConfiguration } from "./configuration";
import { ConfigurationForm } from "./configuration-form";
import type { OlderVersions, UserView } from "./own-view";
import { ReadByAgent } from "./read-by-agent";
import { Versions } from "./versions";

type Voices = readonly { value: string; label: string }[];

/** The configuration of a customer in a form, as their agents read it, and its versions. */
export function UserModels({
  view,
  older,
  voices,
}: {
  view: UserView;
  /** In place of the newest versions, if somebody asked for older ones without script. */
  older?: OlderVersions | undefined;
  voices: Voices;
}) {
  const restore = useOwnChange("restore");
  const restored = restore.outcome?.ok ? restore.outcome : undefined;
  // A restored version replaces what is in the form, once it was read. Nothing else does.
  const [restoredInForm, setRestoredInForm] = useState<number>();
  const isRead = restored?.version !== undefined && view.version >= restored.version;
  if (isRead && restoredInForm !== restored.version) setRestoredInForm(restored.version);
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-12 border-t border-line pt-10 lg:grid-cols-[7fr_5fr]">
      <SavedForm key={restoredInForm} view={view} voices={voices} restored={restored?.message} />
      <ReadByAgent configuration={view.configuration}>
        <Versions view={{ ...view, ...older }} restore={restore} />
      </ReadByAgent>
    </div>
  );
}

/** Its own component, so that what is typed outlives each reading of `own`. */
export function SavedForm({
  view,
  voices,
  restored,
}: {
  view: Pick<UserView, "configuration" | "version" | "versions">;
  voices: Voices;
  /** The sentence about the version that was restored last. */
  restored: string | undefined;
}) {
  const { outcome, typed, isSending, onSubmit } = useOwnChange("save");
  // A later reading of `own` must change neither what was typed nor the version that a save replaces.
  const [initial] = useState(() => {
    if (!typed) return view.configuration;
    const { modalities } = view.configuration;
    return checkConfiguration(new URLSearchParams(typed), { modalities, voices }).configuration;
  });
  const [replaced, setReplaced] = useState(outcome?.version ?? typed?.version ?? view.version);
  useEffect(() => {
    if (outcome?.version !== undefined) setReplaced(outcome.version);
  }, [outcome]);
  const refusal = outcome?.ok === false ? outcome : undefined;
  const [newest] = view.versions;
  return (
    <ConfigurationForm
      method="post"
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
          : view.version === 0 && "Nothing is saved yet: your agents read these defaults."}
      </p>
    </ConfigurationForm>
  );
}
