import { Form, useNavigation } from "react-router";
import { More } from "~/features/deployments/page/more";
import { useMay } from "~/features/workspaces/roles";
import { Moment } from "~/ui/moment";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { HoursForm } from "./hours-form";
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
  if (until) {
    return (
      <div>
        <p className="max-w-prose">
          In maintenance until <Moment at={until} />: nobody is told of this server before.
        </p>
        {mayChange ? (
          <Form method="post" preventScrollReset className="mt-3">
            <input type="hidden" name="intent" value="maintenance" />
            <Button type="submit" name="until" value="end" variant="secondary" disabled={busy}>
              End the maintenance
            </Button>
          </Form>
        ) : null}
      </div>
    );
  }
  if (!mayChange) return null;
  return (
    <More summary="Start a maintenance window">
      <div className="pb-4">
        <HoursForm
          intent="maintenance"
          label="Tell nobody of this server for"
          button="Start now"
          options={[
            { value: "1", label: "1 hour" },
            { value: "4", label: "4 hours" },
            { value: "24", label: "24 hours" },
          ]}
        />
      </div>
    </More>
  );
}
