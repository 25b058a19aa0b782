import { Form, useNavigation } from "react-router";
import { NewSecret, PageSection, RecentOnly } from "~/features/workspaces/page-parts";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import type { WebhookOutcome } from "../site/webhook-changes.server";
import type { WebhooksView } from "../site/webhooks-view.server";
import { eventGroupNames } from "../webhook";
import { GroupFields } from "./webhook-fields";

/** The form that adds a webhook, and the secret of the one that was just added. It works without JavaScript. */
export function NewWebhook({
  view: { words },
  isRecent,
  outcome,
}: {
  view: WebhooksView;
  isRecent: boolean;
  outcome: WebhookOutcome | undefined;
}) {
  const labels = words.webhooks;
  const isSending = useNavigation().state !== "idle";
  const refused = outcome?.ok === false && outcome.intent === "add-webhook" ? outcome : undefined;
  const secret = outcome?.ok && "secret" in outcome && outcome.isNew ? outcome.secret : undefined;
  const typed = refused?.typed;
  return (
    <PageSection id="add" title={labels.add} failure={refused?.message}>
      {secret ? <NewSecret says={labels.secret} secret={secret} copy={labels.copy} /> : null}
      {isRecent || typed ? (
        <Form
          key={secret ?? "new"}
          method="post"
          action="#add"
          noValidate
          preventScrollReset
          className="grid max-w-dialog gap-5"
        >
          <input type="hidden" name="intent" value="add-webhook" />
          <TextField
            name="url"
            type="url"
            label={labels.url}
            hint={labels.urlHint}
            maxLength={500}
            autoComplete="off"
            spellCheck={false}
            required
            defaultValue={typed?.url}
          />
          <GroupFields labels={labels} checked={typed?.groups ?? eventGroupNames} />
          <div>
            <Button type="submit" variant="secondary" disabled={isSending}>
              {labels.button}
            </Button>
          </div>
        </Form>
      ) : null}
      {isRecent ? null : <RecentOnly words={words} />}
    </PageSection>
  );
}
