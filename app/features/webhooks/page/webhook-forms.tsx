import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { fill } from "~/features/workspaces/fill";
import { ConfirmedForm, RecentOnly } from "~/features/workspaces/page-parts";
import type { WorkspaceWords } from "~/features/workspaces/workspace-words.server";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { pressable } from "~/ui/primitives/text-link";
import type { WebhookIntent, WebhookOutcome } from "../site/webhook-changes.server";
import type { ListedWebhook } from "../site/webhooks-view.server";
import { GroupFields } from "./webhook-fields";

export type WebhookProps = {
  webhook: ListedWebhook;
  words: WorkspaceWords;
  isRecent: boolean;
  /** Of a form of this webhook. */
  outcome: WebhookOutcome | undefined;
};

/** What may be done with a webhook. */
export function WebhookForms({ webhook, words, isRecent, outcome }: WebhookProps) {
  const labels = words.webhooks;
  const busy = useNavigation().state !== "idle";
  const { id, host, state } = webhook;
  const about = <span className="sr-only"> ({host})</span>;
  const typed =
    outcome?.ok === false && outcome.intent === "change-webhook" ? outcome.typed : undefined;
  const turn = state === "off" ? "enable" : "disable";
  return (
    <div className="grid gap-1 print:hidden">
      <div className="flex flex-wrap gap-3 pb-1">
        <WebhookForm intent="test-webhook" webhook={id}>
          <Button type="submit" variant="secondary" disabled={busy}>
            {labels.test}
            {about}
          </Button>
        </WebhookForm>
        <WebhookForm intent={`${turn}-webhook`} webhook={id}>
          <Button type="submit" variant="secondary" disabled={busy}>
            {labels[turn]}
            {about}
          </Button>
        </WebhookForm>
      </div>
      <Part summary={labels.edit} about={about} isOpen={typed !== undefined}>
        {isRecent || typed ? (
          <WebhookForm intent="change-webhook" webhook={id}>
            <div className="grid max-w-prose gap-4">
              <TextField
                name="url"
                type="url"
                label={labels.newUrl}
                hint={fill(labels.newUrlHint, { host })}
                maxLength={500}
                autoComplete="off"
                spellCheck={false}
                defaultValue={typed?.url}
              />
              <GroupFields labels={labels} checked={typed?.groups ?? webhook.groups} />
              <div>
                <Button type="submit" variant="secondary" disabled={busy}>
                  {labels.editButton}
                  {about}
                </Button>
              </div>
            </div>
          </WebhookForm>
        ) : null}
        {isRecent ? null : <RecentOnly words={words} />}
      </Part>
      <Part summary={labels.rotate} about={about}>
        <p className="mb-4 max-w-prose">{labels.rotateSays}</p>
        {isRecent ? (
          <WebhookForm intent="rotate-webhook" webhook={id}>
            <Button type="submit" variant="secondary" disabled={busy}>
              {labels.rotateButton}
              {about}
            </Button>
          </WebhookForm>
        ) : (
          <RecentOnly words={words} />
        )}
      </Part>
      <ConfirmedForm
        summary={labels.remove}
        says={fill(labels.removeSays, { host })}
        button={labels.removeButton}
        about={host}
        action={`#${id}`}
        fields={{ intent: "remove-webhook" satisfies WebhookIntent, webhook: id }}
      />
    </div>
  );
}

function Part({
  summary,
  about,
  isOpen = false,
  children,
}: {
  summary: string;
  about: ReactNode;
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={isOpen}>
      <summary className={`min-h-11 content-center ${pressable}`}>
        {summary}
        {about}
      </summary>
      <div className="pt-1 pb-4">{children}</div>
    </details>
  );
}

/** Leads back to the webhook that it is about. */
export function WebhookForm({
  intent,
  webhook,
  children,
}: {
  intent: WebhookIntent;
  webhook: string;
  children: ReactNode;
}) {
  return (
    <Form method="post" action={`#${webhook}`} preventScrollReset noValidate>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="webhook" value={webhook} />
      {children}
    </Form>
  );
}
