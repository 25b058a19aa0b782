import type { WorkspaceWords } from "~/features/workspaces/workspace-words.server";
import { CopyButton } from "~/ui/primitives/copy-button";
import { Message } from "~/ui/primitives/message";
import { type EventGroup, eventGroupNames } from "../webhook";

type Labels = WorkspaceWords["webhooks"];

/** What a webhook gets: a box for each group of events. */
export function GroupFields({
  labels,
  checked,
}: {
  labels: Labels;
  checked: readonly EventGroup[];
}) {
  return (
    <fieldset>
      <legend className="font-strong">{labels.events}</legend>
      <ul className="mt-1.5">
        {eventGroupNames.map((group) => (
          <li key={group}>
            <label className="flex min-h-11 items-start gap-3 py-2">
              <input
                type="checkbox"
                name={group}
                value="yes"
                defaultChecked={checked.includes(group)}
                className="mt-1 size-4 shrink-0 accent-signal"
              />
              <span>{labels.groups[group]}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** A secret that is shown this once. */
export function NewSecret({ says, secret, copy }: { says: string; secret: string; copy: string }) {
  return (
    <Message kind="success" className="mb-6">
      <p>{says}</p>
      <p className="mt-2 flex flex-wrap items-center gap-3">
        <code className="min-w-0 break-all text-ink">{secret}</code>
        <CopyButton text={secret} label={copy} />
      </p>
    </Message>
  );
}
