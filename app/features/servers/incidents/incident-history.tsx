import { Form, useNavigation } from "react-router";
import { More } from "~/features/deployments/page/more";
import { useMay } from "~/features/workspaces/use-may";
import { Moment } from "~/ui/moment";
import { Button } from "~/ui/primitives/button";
import { SelectField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { IncidentView } from "./incident-view";

/** What was wrong with a server before, newest first, beside an incident that may be open now. */
export function PastIncidents({
  past,
  isOneOpen,
}: {
  past: IncidentView["past"];
  isOneOpen: boolean;
}) {
  if (!past) {
    return (
      <Message kind="warning">
        Past incidents cannot be read right now. Please try again in a moment.
      </Message>
    );
  }
  if (past.length === 0) {
    return <p>No {isOneOpen ? "other " : ""}incident in the last 90 days.</p>;
  }
  return (
    <ul className="border-t border-line">
      {past.map(({ id, openedAt, closedAt, titles }) => (
        <li key={id} className="border-b border-line py-3">
          <p className="wrap-anywhere">{titles.join("; ")}</p>
          <p className="text-sm text-ink-soft">
            <Moment at={openedAt} /> until <Moment at={closedAt} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Until when nobody is told of a server, because somebody works on it; begins and ends that. */
export function MaintenanceWindow({ until }: { until: string | undefined }) {
  const mayChange = useMay("alerts");
  const busy = useNavigation().state !== "idle";
  const running = until ? (
    <p className="max-w-prose">
      In maintenance until <Moment at={until} />: nobody is told of this server before.
    </p>
  ) : null;
  if (!mayChange) return running;
  if (until) {
    return (
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="maintenance" />
        {running}
        <Button
          type="submit"
          name="until"
          value="end"
          variant="secondary"
          disabled={busy}
          className="mt-3"
        >
          End the maintenance
        </Button>
      </Form>
    );
  }
  return (
    <More summary="Start a maintenance window">
      <Form
        method="post"
        preventScrollReset
        className="flex flex-wrap items-end gap-x-3 gap-y-4 pb-4"
      >
        <input type="hidden" name="intent" value="maintenance" />
        <SelectField
          name="until"
          label="Tell nobody of this server for"
          options={[
            { value: "1", label: "1 hour" },
            { value: "4", label: "4 hours" },
            { value: "24", label: "24 hours" },
          ]}
        />
        <Button type="submit" variant="secondary" disabled={busy}>
          Start now
        </Button>
      </Form>
    </More>
  );
}
