import { fill } from "~/features/workspaces/fill";
import { NewSecret, PageSection } from "~/features/workspaces/page-parts";
import type { WorkspaceWords } from "~/features/workspaces/workspace-words.server";
import { Moment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Card } from "~/ui/primitives/card";
import { Message } from "~/ui/primitives/message";
import type { WebhookOutcome } from "../site/webhook-changes.server";
import type { WebhooksView } from "../site/webhooks-view.server";
import { DeliveryList } from "./delivery-list";
import { WebhookForms, type WebhookProps } from "./webhook-forms";

const badges = { on: "success", failing: "warning", off: "neutral" } as const;

/** The webhooks of the workspace, each with its forms and what was sent there last. */
export function WebhookList({
  view: { words, workspace, webhooks = [] },
  isRecent,
  outcome,
}: {
  view: WebhooksView;
  isRecent: boolean;
  outcome: WebhookOutcome | undefined;
}) {
  const labels = words.webhooks;
  const isGone = (id: string) => !webhooks.some((each) => each.id === id);
  const refused =
    outcome?.ok === false && outcome.intent !== "add-webhook" && isGone(outcome.webhook)
      ? outcome.message
      : undefined;
  const removed = outcome?.ok && "done" in outcome && outcome.done === "removed";
  return (
    <PageSection
      id="webhooks"
      title={fill(labels.list, { workspace: workspace.name })}
      failure={refused}
      done={removed ? labels.removed : undefined}
    >
      {webhooks.length === 0 ? (
        <p className="text-ink-soft">{labels.none}</p>
      ) : (
        <Card as="ul" flush className="divide-y divide-line">
          {webhooks.map((webhook) => (
            <li key={webhook.id} id={webhook.id} className="grid scroll-mt-28 gap-3 p-4 sm:px-6">
              <Webhook
                {...{ webhook, words, isRecent }}
                outcome={outcome?.webhook === webhook.id ? outcome : undefined}
              />
            </li>
          ))}
        </Card>
      )}
    </PageSection>
  );
}

function Webhook({ webhook, words, isRecent, outcome }: WebhookProps) {
  const labels = words.webhooks;
  const { host, state, says, gets, waiting, formerUntil, deliveries } = webhook;
  return (
    <>
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-strong wrap-anywhere">
          <span>{host}</span>
          <Badge variant={badges[state]}>{labels[state]}</Badge>
          {waiting > 0 ? (
            <span className="text-sm font-normal text-ink-soft">
              {fill(labels.waiting, { count: waiting })}
            </span>
          ) : null}
        </p>
        <p className="mt-1 text-sm text-ink-soft">{fill(labels.gets, { groups: gets })}</p>
        {formerUntil ? <Until says={labels.formerUntil} at={formerUntil} /> : null}
      </div>
      {says ? <Message kind="warning">{says}</Message> : null}
      {outcome ? <Outcome {...{ outcome, labels }} /> : null}
      <WebhookForms {...{ webhook, words, isRecent, outcome }} />
      <DeliveryList {...{ webhook: webhook.id, host, deliveries, labels }} />
    </>
  );
}

function Until({ says, at }: { says: string; at: string }) {
  const [before = "", after = ""] = says.split("{until}");
  return (
    <p className="mt-1 text-sm text-ink-soft">
      <span>{before}</span>
      <Moment at={at} />
      <span>{after}</span>
    </p>
  );
}

function Outcome({
  outcome,
  labels,
}: {
  outcome: WebhookOutcome;
  labels: WorkspaceWords["webhooks"];
}) {
  if (!outcome.ok) return <Message kind="failure">{outcome.message}</Message>;
  if ("done" in outcome) return <Message kind="success">{labels[outcome.done]}</Message>;
  if (outcome.isNew) return null;
  return <NewSecret says={labels.overlap} secret={outcome.secret} copy={labels.copy} />;
}
