import type { WorkspaceWords } from "~/features/workspaces/workspace-words.server";
import { CheckboxFields } from "~/ui/primitives/checkbox-fields";
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
    <CheckboxFields
      legend={labels.events}
      names={eventGroupNames}
      label={(group) => labels.groups[group]}
      checked={checked}
    />
  );
}
