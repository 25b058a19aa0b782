import { useNavigation } from "react-router";
import type { WorkspaceWords } from "~/features/workspaces/workspace-words.server";
import { Moment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { pressable } from "~/ui/primitives/text-link";
import type { ListedDelivery } from "../site/webhooks-view.server";
import { WebhookForm } from "./webhook-forms";

const badges = { waiting: "warning", delivered: "success", failed: "failure" } as const;

/** The last events of a webhook, the newest first, and what became of each. */
export function DeliveryList({
  webhook,
  host,
  deliveries,
  labels,
}: {
  webhook: string;
  host: string;
  deliveries: readonly ListedDelivery[];
  labels: WorkspaceWords["webhooks"];
}) {
  const busy = useNavigation().state !== "idle";
  if (deliveries.length === 0) {
    return <p className="text-sm text-ink-soft">{labels.noDeliveries}</p>;
  }
  return (
    <details>
      <summary className={`min-h-11 content-center ${pressable}`}>
        {labels.deliveries}
        <span className="sr-only"> ({host})</span>
      </summary>
      <ul className="mt-1 border-t border-line">
        {deliveries.map(({ id, type, at, state, tries, reason }) => (
          <li
            key={id}
            className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-b border-line py-3"
          >
            <div className="min-w-0 text-sm">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <code className="wrap-anywhere text-ink">{type}</code>
                <Badge variant={badges[state]}>{labels.states[state]}</Badge>
              </p>
              <p className="mt-1 text-ink-soft">
                <Moment at={at} />
                <span>, {tries}</span>
              </p>
              {reason ? <p className="mt-1 wrap-anywhere">{reason}</p> : null}
              <p className="mt-1 wrap-anywhere text-ink-soft">
                <code>{id}</code>
              </p>
            </div>
            {state === "waiting" ? null : (
              <WebhookForm intent="repeat-event" webhook={webhook}>
                <input type="hidden" name="event" value={id} />
                <Button type="submit" variant="secondary" disabled={busy}>
                  {labels.repeat}
                  <span className="sr-only"> ({id})</span>
                </Button>
              </WebhookForm>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
