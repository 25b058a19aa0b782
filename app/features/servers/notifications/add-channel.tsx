import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { More } from "~/features/deployments/page/more";
import { Button } from "~/ui/primitives/button";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { AlertsView } from "./alerts-view.server";
import { turnWords } from "./channel";

type Kind = "add-mail" | "add-pagerduty" | "add-webhook";

/** One form for each kind of channel. `failed`: the form that was refused, why, and what was typed. */
export function AddChannel({
  members,
  me,
  failed,
}: {
  members: AlertsView["members"];
  me: string;
  failed: { intent: string; message: string; typed: { key: string; url: string } } | undefined;
}) {
  const wrong = (intent: Kind) => (failed?.intent === intent ? failed.message : undefined);
  return (
    <div className="grid gap-2">
      <More summary="Mail to a member" open={wrong("add-mail") !== undefined}>
        {members?.length ? (
          <AddForm intent="add-mail" button="Add mail" failure={wrong("add-mail")}>
            <SelectField
              name="person"
              label="Member"
              defaultValue={me}
              options={members.map(({ id, address }) => ({ value: id, label: address }))}
              hint="Whoever leaves the workspace is told nothing from that moment."
            />
          </AddForm>
        ) : (
          <p className="pb-4">
            {members
              ? "Every member is told by mail already."
              : "The members cannot be read right now. Please try again in a moment."}
          </p>
        )}
      </More>
      <More summary="PagerDuty" open={wrong("add-pagerduty") !== undefined}>
        <AddForm intent="add-pagerduty" button="Add PagerDuty">
          <TextField
            name="key"
            label="Routing key"
            autoComplete="off"
            spellCheck={false}
            mono
            maxLength={64}
            defaultValue={failed?.typed.key}
            error={wrong("add-pagerduty")}
            hint="In PagerDuty: your service, Integrations, Events API v2. 32 letters and digits."
          />
        </AddForm>
      </More>
      <More summary="Webhook" open={wrong("add-webhook") !== undefined}>
        <AddForm intent="add-webhook" button="Add the webhook">
          <TextField
            name="url"
            label="Address"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={500}
            defaultValue={failed?.typed.url}
            error={wrong("add-webhook")}
            hint="It begins with https://. Messages are signed as Standard Webhooks says; the secret is shown once."
          />
        </AddForm>
      </More>
    </div>
  );
}

function AddForm({
  intent,
  button,
  failure,
  children,
}: {
  intent: Kind;
  button: string;
  failure?: string | undefined;
  children: ReactNode;
}) {
  const busy = useNavigation().state !== "idle";
  return (
    <Form method="post" noValidate preventScrollReset className="grid max-w-prose gap-4 pb-6">
      <input type="hidden" name="intent" value={intent} />
      {failure ? <Message kind="failure">{failure}</Message> : null}
      {children}
      <SelectField
        name="turn"
        label="When"
        options={Object.entries(turnWords).map(([value, label]) => ({ value, label }))}
      />
      <div>
        <Button type="submit" variant="secondary" disabled={busy}>
          {button}
        </Button>
      </div>
    </Form>
  );
}
